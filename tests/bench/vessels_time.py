#!/usr/bin/env python3
"""How long the recipe `vessels` takes as a whole process: two photographs on two cores, on all and with a GPU.

    tests/bench/vessels_time.py --json vessels-time.json [--program build/bin/bankside] [--rounds 7] SMALL.jpg LARGE.jpg

A photograph of 999 x 960 pixels with 31 pixels a degree, and one of 3504 x 2336 with 54. Rounds take the places in turn. `filter_ms` is what the report says of the filters and operations, all threads together.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURES = (("999 x 960", 31), ("3504 x 2336", 54))


def run(words, cores):
    began = time.perf_counter()
    subprocess.run(words, check=True, capture_output=True, preexec_fn=lambda: os.sched_setaffinity(0, cores))
    return time.perf_counter() - began


def filter_ms(image):
    steps = sum(step["compute_us"] for step in image["steps"])
    return (steps + image["operation_us"] + image["combine_us"]) / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=ROOT / "build/bin/bankside")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("photographs", type=Path, nargs=2)
    given = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    rows, environment = [], None
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        folder = Path(folder)
        for (picture, scale), photograph in zip(PICTURES, given.photographs):
            report = folder / "report.json"
            words = [given.program, "filter", photograph, "--recipe", "vessels", "--scale", str(scale), "--no-progress",
                     "--force", "--output", folder / "out", "--report", report]
            places = {"two cores": (["--engine", "cpu"], cores[:2])}
            if len(cores) > 2:
                places[f"{len(cores)} cores"] = (["--engine", "cpu"], cores)
            places["auto"] = ([], cores)
            seconds = {place: [] for place in places}
            filtering = {place: [] for place in places}
            for _ in range(given.rounds):
                for place, (more, where) in places.items():
                    seconds[place].append(round(run([*words, *more], where), 3))
                    said = json.loads(report.read_text(encoding="utf-8"))
                    environment = said["environment"]
                    filtering[place].append(filter_ms(said["images"][0]))
            rows += [{"picture": picture, "where": place, "median_seconds": statistics.median(seconds[place]),
                      "filter_ms": round(statistics.median(filtering[place]), 1), "seconds": seconds[place]}
                     for place in places]
    given.json.write_text(json.dumps({
        "bankside": "vessels-time", "schema_version": 1, "environment": environment,
        "command": f"tests/bench/vessels_time.py --json vessels-time.json --rounds {given.rounds} SMALL.jpg LARGE.jpg", "rows": rows},
        indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
