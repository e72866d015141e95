"""``python -m kifu``: the command line."""
from __future__ import annotations

from kifu.cli import main

if __name__ == "__main__":
    main()
