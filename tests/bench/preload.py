#!/usr/bin/env python3
"""filter2D by libbankside-filter2d.so beside OpenCV's own, in one process, in turn.

    tests/bench/preload.py --json preload.json [--build build] [--seconds 0.1] [--left]

First one thread and every cell that can be taken, then all threads and only those that are taken by default: no cell may
be slower. With --left instead what a call takes longer that is left to OpenCV, the median of nine runs.
`cmake --build build --target preload-cells bankside-filter2d` makes what it runs.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def cells(build, mode, words):
    environment = {**os.environ, "LD_PRELOAD": str(build / "lib/libbankside-filter2d.so"), "BANKSIDE_PRELOAD": mode}
    run = subprocess.run([build / "bin/preload-cells", *words], check=True, capture_output=True, env=environment)
    return [json.loads(line) for line in run.stdout.splitlines()]


def left(build):
    runs = [cells(build, "", ["left"]) for _ in range(9)]
    return [{"left": same[0]["left"], "opencv_us": min(row["opencv_us"] for row in same),
             "added_us": statistics.median(row["added_us"] for row in same)} for same in zip(*runs)]


def summary(rows):
    taken = [row["times"] for row in rows if row["taken"]]
    return {"cells": len(rows), "taken": len(taken), "least_times": min(taken), "median_times": statistics.median(taken),
            "most_times": max(taken)}


def environment_of(build):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        subprocess.run([build / "bin/bankside", "filter", ROOT / "assets/images/grain.png", "--bank", "sobel", "--output",
                        Path(folder) / "out", "--report", report, "--no-progress"], check=True, capture_output=True)
        return json.loads(report.read_text(encoding="utf-8"))["environment"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--seconds", default="0.1")
    parser.add_argument("--left", action="store_true")
    parser.add_argument("--json", type=Path, required=True)
    given = parser.parse_args()
    build = given.build.resolve()
    if given.left:
        text = {"bankside": "preload-left", "schema_version": 1,
                "command": "tests/bench/preload.py --left --json preload-left.json",
                "environment": environment_of(build), "rows": left(build)}
        given.json.write_text(json.dumps(text), encoding="utf-8")
        return
    single = cells(build, "all", [given.seconds, "1"])
    threads = cells(build, "", [given.seconds])
    text = {"bankside": "preload-cells", "schema_version": 1,
            "command": f"tests/bench/preload.py --json preload.json --seconds {given.seconds}",
            "environment": environment_of(build), "one_thread": summary(single), "all_threads": summary(threads),
            "rows": single, "rows_of_all_threads": [row for row in threads if row["taken"]]}
    given.json.write_text(json.dumps(text), encoding="utf-8")


if __name__ == "__main__":
    main()
