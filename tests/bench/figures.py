#!/usr/bin/env python3
"""The measured figures of README.md and docs/: written from kept reports, checked, drawn.

  figures.py write          fill the tables and inline figures of README.md and docs/**/*.md
  figures.py check          fail where a document is not what `write` would make, or has a typed measurement
  figures.py charts         draw the charts (needs matplotlib)
  figures.py keep FILE...   make reports small enough to be kept, in place
"""
import argparse
import sys
from pathlib import Path


def keep(files):
    from figures import keep as keeping
    for file in files:
        file.write_text(keeping.kept(file), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("write")
    commands.add_parser("check")
    commands.add_parser("charts")
    commands.add_parser("keep").add_argument("files", nargs="+", type=Path)
    chosen = parser.parse_args()
    if chosen.command == "keep":
        return keep(chosen.files)


if __name__ == "__main__":
    sys.exit(main())
