#!/usr/bin/env python3
"""Runs every fuzzer for a while, one after the other, and says what it reached.

  python3 tests/fuzz/run.py build-fuzz/bin                       two minutes each
  python3 tests/fuzz/run.py build-fuzz/bin --seconds 30 --only recipe,tuning --json tests/fuzz/outcome.json

Inputs that reach something new are kept in --corpus and are where the next run begins. With --json, time and executions
are added to those of the file. Ends with 1 where a fuzzer found something: its input lies in the corpus folder.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

SEEDS = Path(__file__).parent / "seeds"
LARGEST = {"picture": 4096, "bank-npy": 4096}  # bytes of an input; others 2048
STATUS = re.compile(r"#(\d+)\s+(\w+)\s+cov: (\d+) ft: (\d+)")


def run(program, parser, seconds, corpus):
    """What one fuzzer did, and whether it found something."""
    kept = corpus / parser
    kept.mkdir(parents=True, exist_ok=True)
    command = [str(program), f"-max_total_time={seconds}", f"-max_len={LARGEST.get(parser, 2048)}", "-timeout=20",
               "-rss_limit_mb=1024", f"-artifact_prefix={corpus}/{parser}-", str(kept), str(SEEDS / parser)]
    before = os.times()
    start = time.monotonic()
    fuzzer = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
    edges = features = executions = 0
    news = []
    tail = []
    for line in fuzzer.stderr:
        tail = [*tail[-40:], line]
        found = STATUS.search(line)
        if not found:
            continue
        executions, edges, features = int(found[1]), int(found[3]), int(found[4])
        if found[2] == "NEW":
            news.append(time.monotonic() - start)
    code = fuzzer.wait()
    whole = time.monotonic() - start
    after = os.times()
    spent = after.children_user - before.children_user + after.children_system - before.children_system
    if code != 0:
        sys.stderr.write("".join(tail))
    return {"executions": executions, "processor_seconds": round(spent, 1), "edges": edges, "features": features,
            "new_in_last_tenth": sum(1 for at in news if at > 0.9 * whole)}, code == 0


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("programs", type=Path, help="the folder of the fuzz-... programs")
    options.add_argument("--seconds", type=int, default=120, help="for each (default 120)")
    options.add_argument("--only", help="PARSER,... (default all that are built)")
    options.add_argument("--corpus", type=Path, default=Path("fuzz-corpus"))
    options.add_argument("--json", type=Path, help="keep the outcome here")
    given = options.parse_args()
    parsers = given.only.split(",") if given.only else sorted(
        program.name[len("fuzz-"):] for program in given.programs.glob("fuzz-*"))
    if not parsers:
        options.error(f"there are no fuzzers in {given.programs}")
    outcome = json.loads(given.json.read_text()) if given.json and given.json.exists() else {"parsers": {}}
    clean = True
    for parser in parsers:
        done, passed = run(given.programs / f"fuzz-{parser}", parser, given.seconds, given.corpus)
        clean = clean and passed
        before = outcome["parsers"].get(parser, {"executions": 0, "processor_seconds": 0})
        for key in ("executions", "processor_seconds"):
            done[key] = round(done[key] + before[key], 1)
        outcome["parsers"][parser] = done
        print(f"{parser:14} {done['executions']:>10} executions, {done['edges']} edges, "
              f"{done['new_in_last_tenth']} new inputs in the last tenth{'' if passed else ', FOUND SOMETHING'}", flush=True)
        if given.json:
            given.json.write_text(json.dumps(outcome, indent=1, sort_keys=True) + "\n")
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
