#!/usr/bin/env python3
"""What a call costs around its pixels: 8 x 8 of float32, one 5 x 5 filter, one thread; and what an import takes.

    PYTHONPATH=build/python tests/bench/library_calls.py --json calls.json [--build build]

`cmake --build build --target library-call-cost bankside_python bankside` makes what it runs; the Python is that with
nanobind and NumPy. Of everything the least of many rounds counts: what disturbs only adds.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import timeit
from pathlib import Path

from preload import ROOT, environment_of

IMPORT = "import time; a = time.process_time(); import {}; print((time.process_time() - a) * 1e3)"


def nanoseconds(call):
    return min(timeit.repeat(call, number=300, repeat=4000)) / 300 * 1e9


def milliseconds(module):
    bytecode = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}  # as installed
    runs = [subprocess.run([sys.executable, "-c", IMPORT.format(module)], check=True, capture_output=True, text=True,
                           env=bytecode) for _ in range(60)]
    return min(float(run.stdout) for run in runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--json", type=Path, required=True)
    given = parser.parse_args()
    build = given.build.resolve()
    import numpy

    import bankside

    image, out = numpy.ones((8, 8), "float32"), numpy.empty((1, 8, 8), "float32")
    bank = "gaussian:sigma=0.5"
    plan = bankside.Plan(bank, (8, 8), "float32", threads=1, engine="cpu:direct")
    said = [subprocess.run([build / "bin/library-call-cost"], check=True, capture_output=True, text=True).stdout
            for _ in range(5)]
    execute, kernel = (min(int(re.search(word + r" (\d+) ns", text)[1]) for text in said)
                       for word in ("bk_execute", "its row kernel alone"))
    report = {
        "bankside": "library-calls", "schema_version": 2, "environment": environment_of(build),
        "command": "PYTHONPATH=build/python python3 tests/bench/library_calls.py --json calls.json",
        "rows": [
            {"call": "bk_execute", "ns": execute},
            {"call": "its row kernel", "ns": kernel},
            {"call": "plan(image, out)", "ns": round(nanoseconds(lambda: plan(image, out)))},
            {"call": "bankside.filter(image, bank, out=out)",
             "ns": round(nanoseconds(lambda: bankside.filter(image, bank, threads=1, engine="cpu:direct", out=out)))},
            {"call": "import bankside, CPU time", "ns": int(round(1e6 * milliseconds("bankside"), -4))},
        ],
    }
    given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
