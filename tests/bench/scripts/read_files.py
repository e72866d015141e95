"""read_files.py PATH...: read every file, and every file of the folders: the least that a Python program has to do."""
import os
import sys

size = 0
for path in sys.argv[1:]:
    for name in sorted(os.listdir(path)) if os.path.isdir(path) else [""]:
        with open(os.path.join(path, name) if name else path, "rb") as file:
            while data := file.read(1 << 24):
                size += len(data)
print(size)
