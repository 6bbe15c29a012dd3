#!/usr/bin/env python3
"""Runs every fuzzer for a while and says what it reached.

  python3 tests/fuzz/run.py build-fuzz/bin                        two minutes each, one after the other
  python3 tests/fuzz/run.py build-fuzz/bin --jobs 30              all at once, 30 processes
  python3 tests/fuzz/run.py build-fuzz/bin --seconds 30 --only recipe,tuning --json tests/fuzz/outcome.json

Inputs that reach something new are kept in --corpus, as few and as short as reach the same, and are where the next run
begins. With --json, processor time and executions are added to those of the file. Ends with 1 where a fuzzer found
something: its input lies in the corpus folder.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SEEDS = Path(__file__).parent / "seeds"
LARGEST = dict.fromkeys("jpeg mha netpbm npy pfm png tiff bank-npy".split(), 4096)  # bytes of an input; others 2048
RESTARTS = 20  # of a process that found something
EXECUTED = re.compile(r"stat::number_of_executed_units:\s+(\d+)")
MERGED = re.compile(r"MERGE-OUTER: (\d+) new files with (\d+) new features added; (\d+) new coverage edges")


class Fuzzed:
    """One fuzzer as several processes that share a corpus."""

    def __init__(self, program, seconds, corpus, jobs):
        self.parser = program.name[len("fuzz-"):]
        self.program, self.seconds, self.corpus, self.jobs = program, seconds, corpus, jobs
        self.kept = corpus / self.parser
        self.kept.mkdir(parents=True, exist_ok=True)
        self.executions = self.findings = 0
        self.processor_seconds = 0.0
        self.lock = threading.Lock()

    def command(self, *options):
        return [str(self.program), f"-max_len={LARGEST.get(self.parser, 2048)}", "-timeout=20", "-rss_limit_mb=1024",
                f"-artifact_prefix={self.corpus}/{self.parser}-", *options]

    def process(self, end):
        for _ in range(RESTARTS):
            seconds = round(end - time.monotonic())
            if seconds < 1:
                return
            with tempfile.TemporaryFile("w+", errors="replace") as log:
                started = subprocess.Popen(
                    self.command(f"-max_total_time={seconds}", "-print_final_stats=1", str(self.kept),
                                 str(SEEDS / self.parser)), stdout=subprocess.DEVNULL, stderr=log)
                _, status, used = os.wait4(started.pid, 0)
                started.returncode = os.waitstatus_to_exitcode(status)
                log.seek(0)
                said = log.read()
            with self.lock:
                self.executions += sum(int(number) for number in EXECUTED.findall(said))
                self.processor_seconds += used.ru_utime + used.ru_stime
                if started.returncode != 0:
                    self.findings += 1
                    sys.stderr.write("\n".join(said.splitlines()[-60:]) + "\n")

    def merge(self, into, source):
        """New inputs, features and edges that `source` has beside `into`, which takes the inputs."""
        done = subprocess.run(self.command("-merge=1", str(into), str(source)), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, errors="replace", check=False)
        found = MERGED.search(done.stderr)
        if not found:
            raise RuntimeError(f"{self.parser}: its corpus cannot be merged\n{done.stderr[-4000:]}")
        return [int(number) for number in found.groups()]

    def run(self):
        """What was there after nine tenths of the time is measured apart from what came later."""
        end = time.monotonic() + self.seconds
        processes = [threading.Thread(target=self.process, args=(end,)) for _ in range(self.jobs)]
        for process in processes:
            process.start()
        time.sleep(0.9 * self.seconds)
        with tempfile.TemporaryDirectory(dir=self.corpus) as folder:
            early, least = Path(folder) / "early", Path(folder) / "least"
            early.mkdir()
            least.mkdir()
            for file in [*self.kept.iterdir(), *(SEEDS / self.parser).iterdir()]:
                try:
                    shutil.copyfile(file, early / file.name)
                except FileNotFoundError:
                    pass  # replaced by a shorter one meanwhile
            for process in processes:
                process.join()
            _, features, edges = self.merge(least, early)
            inputs, new_features, new_edges = self.merge(least, self.kept)
            shutil.rmtree(self.kept)
            least.rename(self.kept)
        self.outcome = {
            "executions": self.executions, "processor_seconds": round(self.processor_seconds, 1),
            "edges": edges + new_edges, "features": features + new_features,
            "last_tenth": {"inputs": inputs, "features": new_features, "edges": new_edges}}


def shares(parsers, jobs, outcome):
    """How many processes each gets: one, and of those left more where inputs still reached something new, or none ran."""
    known = {parser: row["last_tenth"]["features"] for parser, row in outcome.items()}
    news = {parser: 1 + known.get(parser, max(known.values(), default=0)) for parser in parsers}
    counts = {parser: 1 for parser in parsers}
    for _ in range(jobs - len(parsers)):
        counts[max(parsers, key=lambda parser: news[parser] / counts[parser])] += 1
    return counts


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("programs", type=Path, help="the folder of the fuzz-... programs")
    options.add_argument("--seconds", type=int, default=120, help="for each (default 120)")
    options.add_argument("--jobs", type=int, default=1, help="processes at a time (default 1)")
    options.add_argument("--only", help="PARSER,... (default all that are built)")
    options.add_argument("--corpus", type=Path, default=Path("fuzz-corpus"))
    options.add_argument("--json", type=Path, help="keep the outcome here")
    given = options.parse_args()
    parsers = given.only.split(",") if given.only else sorted(
        program.name[len("fuzz-"):] for program in given.programs.glob("fuzz-*"))
    if not parsers:
        options.error(f"there are no fuzzers in {given.programs}")
    if given.jobs < 1 or given.seconds < 1:
        options.error("--jobs and --seconds are at least 1")
    kept = json.loads(given.json.read_text())["rows"] if given.json and given.json.exists() else []
    outcome = {row["parser"]: row for row in kept}
    clean = True
    for first in range(0, len(parsers), given.jobs):
        counts = shares(parsers[first:first + given.jobs], given.jobs, outcome)
        fuzzed = [Fuzzed(given.programs / f"fuzz-{parser}", given.seconds, given.corpus, count)
                  for parser, count in counts.items()]
        with ThreadPoolExecutor(len(fuzzed)) as together:
            list(together.map(Fuzzed.run, fuzzed))
        for one in fuzzed:
            clean = clean and one.findings == 0
            done = one.outcome
            before = outcome.get(one.parser, {"executions": 0, "processor_seconds": 0})
            for key in ("executions", "processor_seconds"):
                done[key] = round(done[key] + before[key], 1)
            outcome[one.parser] = {"parser": one.parser, **done}
            late = done["last_tenth"]
            print(f"{one.parser:14} {done['executions']:>10} executions, {done['processor_seconds']} s, "
                  f"{done['edges']} edges; in the last tenth {late['inputs']} inputs of {late['features']} new features, "
                  f"{late['edges']} new edges{'' if one.findings == 0 else ', FOUND SOMETHING'}", flush=True)
        if given.json:
            rows = [outcome[parser] for parser in sorted(outcome)]
            given.json.write_text(json.dumps({"rows": rows}, indent=1) + "\n")
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
