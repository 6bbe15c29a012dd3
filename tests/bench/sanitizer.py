#!/usr/bin/env python3
"""NVIDIA's compute-sanitizer over the CUDA test programs, a share of their tests in every process.

    tests/bench/sanitizer.py BIN_FOLDER --json sanitizer.json [--tools memcheck,racecheck] [--logs FOLDER]

A row a tool and program: tests that passed, failed and were skipped, errors that the tool reports, and processes that
did not end in their time. Ends with 1 unless every test ran and nothing was reported. Needs a GPU.
"""
import argparse
import concurrent.futures
import json
import os
import platform
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

PROGRAMS = {
    "cuda-engine-tests": "*",
    "cuda-gpu-tests": "*",
    "tensor-gpu-tests": "*",
    "multichannel-gpu-tests": "*",
    "library-gpu-tests": "*",
    "conformance-tests": "*cuda*",
}
# Rows are copied with what lies between them, which nobody writes; tests ask for more memory than there is.
OPTIONS = {"memcheck": ["--report-api-errors", "no"], "initcheck": ["--check-api-memory-access", "no"]}
TOOLS = ("memcheck", "synccheck", "initcheck", "racecheck")


def share(given, tool, program, index, count):
    """Of the program's tests: (passed, failed, skipped, errors, ended)."""
    environment = dict(os.environ, GTEST_TOTAL_SHARDS=str(count), GTEST_SHARD_INDEX=str(index))
    environment["BANKSIDE_REQUIRE_GPU"] = "1"
    command = ["compute-sanitizer", "--tool", tool, *OPTIONS.get(tool, []), "--print-limit", "20",
               str(given.bin / program), f"--gtest_filter={given.filter or PROGRAMS[program]}"]
    log = given.logs / f"{tool}.{program}.{index}.log"
    with log.open("w", encoding="utf-8") as file:
        try:
            subprocess.run(command, env=environment, stdout=file, stderr=subprocess.STDOUT, timeout=given.seconds)
            ended = 1
        except subprocess.TimeoutExpired:
            ended = 0
    text = log.read_text(encoding="utf-8", errors="replace")
    counts = [len(re.findall(rf"^\[ +{word} +\] [^ ]+ \(\d+ ms\)$", text, re.MULTILINE))
              for word in ("OK", "FAILED", "SKIPPED")]
    errors = sum(int(number) for number in re.findall(r"ERROR SUMMARY: (\d+) error", text))
    hazards = sum(int(number) for number in re.findall(r"RACECHECK SUMMARY: (\d+) hazard", text))
    return (*counts, errors + hazards, ended)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=Path)
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--filter", help="googletest's, of all programs")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=500, help="that a process may take")
    parser.add_argument("--logs", type=Path, default=Path("sanitizer"))
    parser.add_argument("--json", type=Path, required=True)
    given = parser.parse_args()
    given.logs.mkdir(parents=True, exist_ok=True)
    gpu = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                         capture_output=True, text=True).stdout.splitlines()[0]
    rows, lock = {}, threading.Lock()

    def write():
        report = {"bankside": "sanitizer", "schema_version": 1,
                  "environment": {"gpu": gpu, "processors": os.cpu_count(), "system": platform.platform()},
                  "command": f"tests/bench/sanitizer.py build/bin --json sanitizer.json --tools {given.tools}",
                  "rows": list(rows.values())}
        given.json.write_text(json.dumps(report) + "\n", encoding="utf-8")

    def run(tool, program, index):
        began = time.monotonic()
        passed, failed, skipped, errors, ended = share(given, tool, program, index, given.processes)
        with lock:
            row = rows.setdefault((tool, program), {"tool": tool, "program": program, "passed": 0, "failed": 0,
                                                    "skipped": 0, "errors": 0, "unfinished": 0, "seconds": 0})
            row["passed"] += passed
            row["failed"] += failed
            row["skipped"] += skipped
            row["errors"] += errors
            row["unfinished"] += 1 - ended
            row["seconds"] = round(row["seconds"] + time.monotonic() - began, 1)
            write()

    with concurrent.futures.ThreadPoolExecutor(given.processes) as pool:
        jobs = [pool.submit(run, tool, program, index) for tool in given.tools.split(",")
                for program in given.programs.split(",") for index in range(given.processes)]
        for job in jobs:
            job.result()
    for row in rows.values():
        print(row)
    return 0 if all(row["failed"] + row["errors"] + row["unfinished"] == 0 for row in rows.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
