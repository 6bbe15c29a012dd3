#!/usr/bin/env python3
"""Python threads with a plan each: how many times one thread's images a second.

    PYTHONPATH=build/python tests/bench/python_threads.py --json threads.json [--threads 8] [--seconds 2]

Every thread filters images of its own, 512 x 512 of float32, with the sixteen filters of a bank, a plan of one thread
and `out=`; rounds of one thread and of all take turns. Where there are as many cores, each thread has one for itself,
not half of one that another thread has too. Their results must be one thread's, byte for byte. Needs NumPy, and as
many idle cores as threads.
"""
import argparse
import json
import os
import platform
import statistics
import sys
import threading
import time
from pathlib import Path

SIDE = 512


def cores():
    """One processor of each core that this process may use."""
    first = {}
    for processor in sorted(os.sched_getaffinity(0)):
        siblings = Path(f"/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list")
        first.setdefault(siblings.read_text() if siblings.exists() else processor, processor)
    return list(first.values())


def images_a_second(work, count, seconds, places):
    """Of `count` threads that start together, on `places` where there are enough."""
    done = [0] * count
    start, stop = threading.Barrier(count + 1), threading.Event()

    def run(which):
        if count <= len(places):
            os.sched_setaffinity(0, {places[which]})
        start.wait()
        while not stop.is_set():
            work[which]()
            done[which] += 1

    threads = [threading.Thread(target=run, args=(which,)) for which in range(count)]
    for thread in threads:
        thread.start()
    start.wait()
    began = time.perf_counter()
    stop.wait(seconds)
    stop.set()
    for thread in threads:
        thread.join()
    return sum(done) / (time.perf_counter() - began)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, required=True)
    given = parser.parse_args()
    import numpy

    import bankside

    image = numpy.random.default_rng(9).random((SIDE, SIDE), numpy.float32)
    bank = bankside.Bank(numpy.random.default_rng(10).random((16, 5, 5), numpy.float32) - 0.5)
    expected = bankside.Plan(bank, image.shape, "float32", threads=1)(image)
    outs, work = [], []
    for _ in range(given.threads):
        plan, own, out = bankside.Plan(bank, image.shape, "float32", threads=1), image.copy(), numpy.empty_like(expected)
        outs.append(out)
        work.append(lambda plan=plan, own=own, out=out: plan(own, out))
    ratios, single = [], []
    places = cores()
    if len(places) < given.threads:
        places = []
    for _ in range(given.rounds):
        one = images_a_second(work, 1, given.seconds, places)
        ratios.append(images_a_second(work, given.threads, given.seconds, places) / one)
        single.append(one)
    same = all(out.tobytes() == expected.tobytes() for out in outs)
    row = {"threads": given.threads, "processors": len(os.sched_getaffinity(0)), "own_cores": len(places), "times": statistics.median(ratios),
           "times_low": min(ratios), "times_high": max(ratios), "images_a_second_of_one": statistics.median(single),
           "same_bytes": same}
    report = {"bankside": "python-threads", "schema_version": 1,
              "environment": {"bankside": bankside.__version__, "python": platform.python_version(),
                              "gil": getattr(sys, "_is_gil_enabled", lambda: True)(), "processors": os.cpu_count(),
                              "system": platform.platform()},
              "command": f"PYTHONPATH=build/python python3 tests/bench/python_threads.py --json threads.json"
                         f" --threads {given.threads}", "rows": [row]}
    given.json.write_text(json.dumps(report) + "\n", encoding="utf-8")
    print(row)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
