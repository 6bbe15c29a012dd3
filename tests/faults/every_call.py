#!/usr/bin/env python3
"""Fails every call that runs of bankside make to the system, one a run, and holds what is left against what was promised.

    every_call.py PROGRAM SHIM SEEDS                        every call (of those made very often a sample)
    every_call.py PROGRAM SHIM SEEDS --every                every call: some hours
    every_call.py PROGRAM SHIM SEEDS --sample 200           so many of all faults, chosen by --seed
    every_call.py PROGRAM SHIM SEEDS --every --share 3/60   of these the third of 60 shares, one for each process
    every_call.py PROGRAM SHIM SEEDS --only RUN,CALL:N:HOW  one, as a failure names it

SHIM is what failing_calls.cpp gives. After each fault: the program ended by itself with a code that fits; every result is
there whole, with the bytes of an undisturbed run, or not at all; code 0 means that all of them are; report, code and
files tell the same story; what bankside did not make is untouched; the same command then finishes to the same bytes
and leaves no part file. Counts only, no clock: --limit alone ends a run that hangs.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from fault_runs import PAGES, runs, tree

# How each kind of call may fail. "+": from there on all of them do.
WAYS = {
    "memory": ["ENOMEM", "ENOMEM+"],
    "thread": ["EAGAIN", "EAGAIN+"],
    "open": ["EACCES", "EMFILE", "EIO"],
    "read": ["EIO", "EINTR", "short"],
    "write": ["ENOSPC", "ENOSPC+", "EIO", "EINTR", "short"],
    "sync": ["EIO", "ENOSPC"],
    "place": ["EACCES", "EIO", "ENOSPC", "EINVAL"],
    "close": ["EIO"],
    "unlink": ["EACCES"],
    "folder": ["EACCES", "ENOSPC"],
    "lock": ["EINTR", "ENOLCK"],
    "cut": ["EIO"],
    "look": ["EACCES", "EIO"],
}
HARMLESS = {"EINTR", "short"}  # nobody notices
# Part of every sample: what is wanting from the beginning, with the code that says so.
FIRST = {"thread:1:EAGAIN+": 75, "memory:1:ENOMEM+": 75}
CODES = {0, 1, 2, 3, 5, 42, 75}
BROKE_OFF = "broke off"


class Judge:
    """One run, undisturbed once; then with faults, in a folder for each thread that asks."""

    def __init__(self, run, program, shim, seeds, scratch, limit):
        self.run, self.program, self.shim, self.limit = run, str(program), str(shim), limit
        self.folder = Path(tempfile.mkdtemp(prefix=run.name + "-", dir=scratch))
        run.begin(self.folder, seeds)
        for line in run.prepare:
            self.must(line)
        if run.before:
            self.must(run.line)
        self.begun = tree(self.folder)
        log = Path(str(self.folder) + ".log")
        done = self.start(run.line, {"BANKSIDE_FAULT_LOG": str(log)})
        if done.returncode != 0:
            raise SystemExit(f"{run.name}: undisturbed, exit {done.returncode}: {done.stderr}")
        self.calls = {word: int(count) for word, count in map(str.split, log.read_text().splitlines())}
        self.good = tree(self.folder)

    def start(self, line, wish=None):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("BANKSIDE_", "SLURM_"))}
        environment |= {"LD_PRELOAD": self.shim} | (wish or {})  # also where nothing fails: it waits for no disk
        return subprocess.run([self.program, *line], cwd=self.folder, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=self.limit)

    def must(self, line):
        done = self.start(line)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(line)}: undisturbed, exit {done.returncode}: {done.stderr.strip()[-300:]}")

    def repeat(self, line):
        """As the program asks for: where a file could not be looked at while planning, the plan is another one."""
        done = self.start(line)
        if done.returncode == 2 and "give --plan-anew" in done.stderr:
            done = self.start([*line, "--plan-anew"])
        assert done.returncode == 0, f"{' '.join(line)}: exit {done.returncode}: {done.stderr.strip()[-300:]}"

    def fault(self, wish):
        """What the fault led to: (exit code, part files left). Raises AssertionError."""
        self.run.restore(self.folder, self.begun)
        log = Path(str(self.folder) + ".log")
        log.unlink(missing_ok=True)
        call, number, how = wish.split(":")
        spelt = f"{call}:{number}{'+' if how.endswith('+') else ''}:{how.rstrip('+')}"
        try:
            done = self.start(self.run.line, {"BANKSIDE_FAULT": spelt, "BANKSIDE_FAULT_LOG": str(log)})
        except subprocess.TimeoutExpired:
            raise AssertionError("it hangs")
        files = tree(self.folder)
        parts = [name for name in files if self.run.is_part(name)]
        happened = log.exists() and log.read_text().startswith("failed")
        self.check_code(done, how, happened)
        if wish in FIRST:
            assert done.returncode == FIRST[wish], f"exit {done.returncode}: {done.stderr.strip()[-300:]}"
        self.check_files(files, done)
        self.check_report(files, done)
        self.check_study(files, done)
        for line in self.run.again:
            self.repeat(line)
        self.check_again()
        return done.returncode, len(parts), happened

    def check_code(self, done, how, happened):
        told = done.stderr.strip()[-300:]
        assert done.returncode in CODES, f"exit {done.returncode}: {told}"
        if done.returncode == 1:
            assert BROKE_OFF in done.stderr, f"exit 1: {told}"
        if how in HARMLESS or not happened:
            assert done.returncode == 0, f"exit {done.returncode} for {how}: {told}"
        if done.returncode != 0:
            assert "bankside: error: " in done.stderr or how.startswith("E"), "it failed without a word"

    def check_files(self, files, done):
        for name, content in self.begun.items():
            if self.run.is_own(name):
                assert files.get(name) == content, f"{name} is not what it was"
        for name, content in files.items():
            if self.run.is_page(name):
                assert content.endswith(PAGES[Path(name).suffix]), f"{name} is not whole"
            elif self.run.is_result(name) and not self.run.is_part(name):
                assert name in self.good, f"{name} is none of its files"
                assert content == self.good[name], f"{name} is not whole"
            elif name.endswith(".json") and not self.run.is_part(name):
                json.loads(content)
            else:
                assert name in self.good or self.run.is_part(name) or self.run.is_journal(name), (
                    f"{name} is none of its files")
        if done.returncode == 0:
            missing = {name for name in set(self.good) - set(files) if not self.run.is_journal(name)}
            assert not missing, f"exit 0 without {sorted(missing)}"

    def check_report(self, files, done):
        if self.run.report not in files or done.returncode not in (0, 3):
            return
        images = json.loads(files[self.run.report])["images"]
        if files[self.run.report] == self.begun.get(self.run.report):
            return  # of the run before
        failed = {image["input"] for image in images if not image["ok"]}
        there = [(image["input"], image["page"]) for image in images]
        assert len(set(there)) == len(there), "the report has an image twice"
        for image in json.loads(self.good[self.run.report])["images"]:
            # Nobody counts pages of a file, or files of a folder, that cannot be read.
            assert (image["input"], image["page"]) in there or failed & {image["input"], "in"}, (
                f"the report has no {image['input']}, page {image['page']}")
        told = set()
        for image in images:
            outputs = image["outputs"]
            assert bool(image["error"]) != image["ok"], f"{image['input']} is neither done nor failed"
            assert image["ok"] or not outputs, f"{image['input']} failed and has results"
            told |= {"out/" + Path(name).name for name in outputs}
        if not self.run.before:
            there = {name for name in files if self.run.is_result(name) and not self.run.is_part(name)}
            assert told == there, f"reported and there are not the same: {sorted(told ^ there)}"
        assert bool(failed) <= (done.returncode == 3), f"{failed} failed and the exit code is {done.returncode}"

    def check_study(self, files, done):
        """The report of an evaluation: every image is judged or failed, and those that failed have no overlay."""
        if "evaluation.json" not in files or done.returncode not in (0, 3):
            return
        images = json.loads(files["evaluation.json"])["images"]
        names = [image["name"] for image in images]
        assert len(set(names)) == len(names), "the report has an image twice"
        for image in images:
            assert bool(image["error"]) != image["ok"], f"{image['name']} is neither judged nor failed"
            overlay = f"out/{image['name']}.overlay.png"
            assert image["ok"] or overlay not in files, f"{image['name']} failed and has an overlay"
        failed = any(not image["ok"] for image in images)
        assert failed <= (done.returncode == 3), f"an image failed and the exit code is {done.returncode}"

    def check_again(self):
        files = tree(self.folder)
        for name, content in self.good.items():
            assert name in files or self.run.is_journal(name), f"{name} is not there after the run was repeated"
            assert self.run.is_note(name) or files[name] == content, f"{name} differs after the run was repeated"
        left = {name for name in set(files) - set(self.good) if not self.run.is_journal(name)}
        assert not left, f"{sorted(left)} left after the run was repeated"


def early_signals(program, shim, scratch):
    """Those that come before main begins end a run as others do. What broke."""
    bad = []
    pipe = os.path.join(scratch, "pipe.json")  # that nobody writes
    os.mkfifo(pipe)
    for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"):
        number = int(getattr(signal, name))
        done = subprocess.run([program, "banks", "show", pipe], capture_output=True, text=True, timeout=60,
                              env=os.environ | {"LD_PRELOAD": str(shim), "BANKSIDE_FAULT_SIGNAL": str(number)})
        if done.returncode != 128 + number or "stopped" not in done.stderr:
            bad.append({"run": "early", "fault": name, "what": f"exit {done.returncode}: {done.stderr}"})
            print(f"{name} before main: exit {done.returncode}: {done.stderr}", flush=True)
    return bad


def faults(judges, most, seed, calls, share):
    """All of them; of a kind of call that is made very often every one up to `most`, then a sample of as many. Of these
    the share: by the call's number, as runs of several threads do not make the same number of calls each time."""
    chosen = random.Random(seed)
    for judge in judges:
        for call, ways in WAYS.items():
            if calls and call not in calls.split(","):
                continue
            count = judge.calls[call]
            numbers = list(range(1, min(count, most) + 1))
            if count > most:
                numbers += sorted(chosen.sample(range(most + 1, count + 1), min(most, count - most)))
            numbers = [number for number in numbers if number % share[1] == share[0] - 1]
            for how in ways:
                for number in numbers:
                    yield judge, f"{call}:{number}:{how}"


def one_of(text):
    """"3/60" as numbers."""
    share, shares = map(int, text.split("/"))
    if not 1 <= share <= shares:
        raise ValueError(text)
    return share, shares


def parse():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", type=Path)
    options.add_argument("shim", type=Path)
    options.add_argument("seeds", type=Path, help="tests/fuzz/seeds")
    options.add_argument("--sample", type=int, help="so many faults, the same share of each kind of call")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--most", type=int, default=150, help="calls of one kind that are all failed (150)")
    options.add_argument("--every", action="store_true", help="all calls of every kind")
    options.add_argument("--share", type=one_of, default=(1, 1), help="as 3/60: the third of 60 shares")
    options.add_argument("--calls", help="of these kinds alone, as memory,thread")
    options.add_argument("--only", help="one fault, or one run")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--limit", type=int, default=120, help="seconds after which a run hangs (120)")
    options.add_argument("--json", type=Path, help="keep what came of it")
    parsed = options.parse_args()
    if parsed.every:
        parsed.most = sys.maxsize
    return parsed


def sampled(everything, count, seed):
    """What is wanting first, then the same number of every run and kind of call, as far as there are so many."""
    groups = collections.defaultdict(list)
    picked = []
    for judge, wish in everything:
        first = wish in FIRST or judge.run.crowd and wish.startswith("thread:")
        (picked if first else groups[judge.run.name, wish.split(":")[0]]).append((judge, wish))
    chosen = random.Random(seed)
    for group in groups.values():
        chosen.shuffle(group)
    while len(picked) < count and any(groups.values()):
        for group in groups.values():
            if group and len(picked) < count:
                picked.append(group.pop())
    return picked


class Queue:
    """Work for several threads, of each run one fault at a time."""

    def __init__(self, work):
        self.work = list(work)
        self.busy = set()
        self.changed = threading.Condition()

    def next(self):
        with self.changed:
            while self.work:
                for at, (judge, _) in enumerate(self.work):
                    if judge not in self.busy:
                        self.busy.add(judge)
                        return self.work.pop(at)
                self.changed.wait()
        return None

    def finished(self, judge):
        with self.changed:
            self.busy.discard(judge)
            self.changed.notify_all()

    def clear(self):
        self.work = []


def outcome(done, judges, bad):
    kept = {"faults": len(done), "broken": bad, "runs": {}}
    for judge in judges:
        kinds = {}
        for name, wish, (code, parts, happened) in done:
            call = wish.split(":")[0]
            if name != judge.run.name:
                continue
            kind = kinds.setdefault(call, {"calls": judge.calls[call], "faults": 0, "reached": 0, "left_parts": 0,
                                           "exit_codes": collections.Counter()})
            kind["faults"] += 1
            kind["reached"] += happened
            kind["left_parts"] += parts > 0
            kind["exit_codes"][str(code)] += 1
        for kind in kinds.values():
            kind["exit_codes"] = dict(sorted(kind["exit_codes"].items()))
        kept["runs"][judge.run.name] = {"command": "bankside " + " ".join(judge.run.line), "calls": kinds}
    return kept


def main():
    options = parse()
    for name in ("program", "shim", "seeds"):
        setattr(options, name, getattr(options, name).resolve())
    only = options.only.split(",") if options.only else []
    done = []
    with tempfile.TemporaryDirectory(prefix="bankside-faults-") as scratch:
        bad = early_signals(options.program, options.shim, scratch)
        judges = [Judge(run, options.program, options.shim, options.seeds, scratch, options.limit)
                  for run in runs() if not only or run.name == only[0]]
        work = list(faults(judges, options.most, options.seed, options.calls,
                           options.share))
        if len(only) == 2:
            work = [(judges[0], only[1])]
        elif options.sample:
            work = sampled(work, options.sample, options.seed)
        else:
            work = sampled(work, len(work), options.seed)  # of all kinds some, whenever it is ended
        queue = Queue(work)
        signal.signal(signal.SIGINT, lambda *_: queue.clear())  # what is done is kept

        def take():
            while (item := queue.next()) is not None:
                judge, wish = item
                try:
                    done.append((judge.run.name, wish, judge.fault(wish)))
                except AssertionError as error:
                    bad.append({"run": judge.run.name, "fault": wish, "what": str(error)})
                    print(f"--only {judge.run.name},{wish}: {error}", flush=True)
                queue.finished(judge)

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for worker in [pool.submit(take) for _ in range(options.jobs)]:
                worker.result()
    print(f"{len(done) + len(bad)} faults (seed {options.seed}): {len(bad)} broke what is promised")
    if options.json:
        options.json.write_text(json.dumps(outcome(done, judges, bad), indent=1) + "\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
