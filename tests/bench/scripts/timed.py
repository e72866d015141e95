"""Run the command given as arguments and print what it and its children cost, as one line of JSON.

The command's standard output goes nowhere, its standard error where ours goes. ``peak`` is the largest resident size,
in bytes, that one of its processes reached.
"""
import json
import os
import subprocess
import sys
import time

start = time.perf_counter()
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
_, status, used = os.wait4(child.pid, 0)
wall = time.perf_counter() - start
child.returncode = os.waitstatus_to_exitcode(status)
unit = 1 if sys.platform == "darwin" else 1024
print(json.dumps({"status": child.returncode, "wall": wall, "cpu": used.ru_utime + used.ru_stime,
                  "peak": used.ru_maxrss * unit}))
