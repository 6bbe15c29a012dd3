#!/usr/bin/env python3
"""Runs properties-tests over many cases, a share and a seed a process, and keeps what came of it:

    nights.py PROGRAM OUTCOME.json [--cases N] [--first-seed N] [--jobs N]

A seed has up to a million cases of its own; the suite's is 1. Exits with 1 where a case failed.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys

COUNTS = re.compile(r"(\d+) (exact|in bands|of a part|undecided|within the tolerance|judged)")


def run(program, seed, cases):
    environment = os.environ | {"BANKSIDE_SEED": str(seed), "BANKSIDE_CASES": str(cases)}
    done = subprocess.run([program, "--gtest_brief=1"], env=environment, capture_output=True, text=True)
    counts = {}
    for line in done.stdout.splitlines():
        if line.startswith("cases from"):
            counts |= {name: int(count) for count, name in COUNTS.findall(line)}
    outcome = {"seed": seed, "exit": done.returncode, **counts}
    if done.returncode != 0:
        outcome["end"] = (done.stdout + done.stderr).splitlines()[-60:]
    return outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("outcome")
    parser.add_argument("--cases", type=int, default=1_000_000)
    parser.add_argument("--first-seed", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1,
                        help="processes, a seed each (default: the processors)")
    options = parser.parse_args()
    shares = options.jobs
    each = -(-options.cases // shares)
    if each > 1_000_000:
        sys.exit("a seed has a million cases: more --jobs, or fewer cases")
    with concurrent.futures.ThreadPoolExecutor(shares) as pool:
        runs = list(pool.map(lambda i: run(options.program, options.first_seed + i, each), range(shares)))
    names = ("exact", "within the tolerance", "undecided", "judged")
    total = {name: sum(r.get(name, 0) for r in runs) for name in names}
    failed = [r for r in runs if r["exit"] != 0]
    row = {"cases": each * shares, **total, "seeds": [r["seed"] for r in runs], "seeds_failed": len(failed)}
    text = json.dumps({"command": " ".join(sys.argv), "rows": [row], "failed": failed})
    with open(options.outcome, "w", encoding="utf-8") as file:
        file.write(text + "\n")
    print(text)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
