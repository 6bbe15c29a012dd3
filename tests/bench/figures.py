#!/usr/bin/env python3
"""The measured figures of README.md and docs/: written from kept reports, checked, drawn.

  figures.py write          fill the tables and inline figures of README.md and docs/**/*.md
  figures.py check          fail where a document is not what `write` would make, or has a typed measurement
  figures.py show [NAME]    what a figure is, the reports it is from and the commands that repeat it
  figures.py charts         draw docs/benchmarks/*.svg (needs matplotlib)
  figures.py keep FILE...   make reports small enough to be kept, in place

A document quotes a figure as <!--=NAME-->5.4<!--/--> and a table between <!-- table: NAME --> and <!-- /table -->.
"""
import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is left in the source folder


def keep(files):
    from figures.keep import kept
    for file in files:
        file.write_text(kept(file), encoding="utf-8")


def show(wanted):
    from figures import readme  # noqa: F401  (defines all others)
    from figures.registry import FIGURES, commands, figure_text
    for name, quoted in FIGURES.items():
        if wanted in name:
            print(f"{name} = {figure_text(name)}\n  from {', '.join(quoted.kept)}")
            print("".join(f"  {command}\n" for command in commands(quoted)), end="")


def charts():
    from figures.charts import draw
    draw()


def documents(command):
    """Fills in or checks; says what is wrong."""
    from figures import documents as texts, readme  # noqa: F401
    wrong = getattr(texts, command)()
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in ("write", "check", "charts"):
        commands.add_parser(name)
    commands.add_parser("show").add_argument("name", nargs="?", default="")
    commands.add_parser("keep").add_argument("files", nargs="+", type=Path)
    chosen = parser.parse_args()
    if chosen.command == "keep":
        return keep(chosen.files)
    if chosen.command == "show":
        return show(chosen.name)
    return charts() if chosen.command == "charts" else documents(chosen.command)


if __name__ == "__main__":
    sys.exit(main())
