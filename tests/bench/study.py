#!/usr/bin/env python3
"""A study of ten million photographs on a cluster, simulated: what shards, retries and slow nodes cost.

    tests/bench/study.py --json study.json [--program build/bin/bankside]

The pipeline is made of measured figures: the stage times of one photograph are those of the kept file benchmark, and
what one image asks of the file system is counted with strace over real shards, without what a shard asks once. All
else is assumed, and is in the report: nodes, how often one is lost, how slow the slow ones are, how long an engine
takes to start a task. Shards are taken by whichever slot is free; one whose node is lost goes on from its journal
after it was queued again. Random numbers have a seed: the same report every time but for the counted calls.
"""
import argparse
import heapq
import json
import random
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = ROOT / "tests/bench/results/cpu/files/xeon.json"
BATCH = ROOT / "tests/bench/results/cpu/batch/xeon.json"
ASSUMED = {
    "images": 10_000_000,
    "slots": 64,
    "threads_a_slot": 4,
    "spread": 0.5,  # of the time of an image, as a part of it
    "overlap": 0.8,  # of a slot's threads that are busy
    "start_s": 5.0,  # from an engine's decision to the first image
    "hours_to_loss": 24.0,  # of one slot
    "requeue_s": 120.0,
    "slow_slots": 0.05,
    "slowness": 2.0,
}
SHARDS = (64, 256, 1024, 4096, 16384, 65536)
CALLS = {"open": ("openat", "open"), "look": ("newfstatat", "stat", "lstat", "fstat", "readlink", "access", "statx"),
         "lock": ("flock",), "sync": ("fsync", "fdatasync"), "rename": ("renameat2", "rename", "link", "linkat")}


def stage_seconds():
    kept = json.loads(FILES.read_text(encoding="utf-8"))
    columns = kept["columns"]
    for row in (dict(zip(columns, row)) for row in kept["rows"]):
        if (row["program"], row["format"], row["type"], row["compression"]) == ("this", "tiff", "f32", "none"):
            return sum(row[f"{stage}_us"] for stage in ("decode", "filter", "encode")) / 1e6, row["file_bytes"]
    raise SystemExit(f"{FILES} has no f32 TIFF")


def calls_of_a_shard(program, folder, images):
    """Calls by kind that named a path or a descriptor, of one shard of so many photographs."""
    source = folder / f"in{images}"
    source.mkdir()
    photograph = (ROOT / "assets/images/retina.jpg").read_bytes()
    for number in range(images):
        (source / f"{number:04d}.jpg").write_bytes(photograph)
    manifest = folder / f"study{images}.jsonl"
    bank = ["--bank", "vessel-matched", "--channel", "green", "--combine", "max", "--no-responses"]
    subprocess.run([program, "batch", "plan", source, folder / f"out{images}", "--manifest", manifest, *bank],
                   check=True, capture_output=True)
    trace = folder / f"trace{images}"
    names = ",".join("?" + name for group in CALLS.values() for name in group)
    subprocess.run(["strace", "-f", "-c", "-o", trace, "-e", f"trace={names}", program, "batch", "run", "--manifest",
                    manifest, "--threads", "2", "--no-progress"], check=True, capture_output=True)
    counted = dict.fromkeys(CALLS, 0)
    for line in trace.read_text(encoding="utf-8").splitlines():
        fields = re.match(r"\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$", line)
        for kind, names in CALLS.items():
            if fields and fields[2] in names:
                counted[kind] += int(fields[1])
    return counted


def calls_an_image(program):
    with tempfile.TemporaryDirectory() as name:
        few, many = (calls_of_a_shard(program, Path(name), images) for images in (10, 40))
    return {kind: round((many[kind] - few[kind]) / 30, 2) for kind in CALLS}


def simulate(shards, image_s):
    """One run of the study. Times in seconds."""
    a = ASSUMED
    random.seed(shards)
    of_slot = image_s / (a["threads_a_slot"] * a["overlap"])
    speeds = [1 / a["slowness"] if random.random() < a["slow_slots"] else 1.0 for _ in range(a["slots"])]
    loss = a["hours_to_loss"] * 3600
    share, rest = divmod(a["images"], shards)
    waiting = [(0.0, index, share + (index < rest)) for index in range(shards)]  # when, which, images left
    heapq.heapify(waiting)
    free = [(0.0, slot) for slot in range(a["slots"])]
    heapq.heapify(free)
    ends, busy, lost = [], 0.0, 0
    while waiting:
        now, slot = heapq.heappop(free)
        ready, index, images = heapq.heappop(waiting)
        begin = max(now, ready) + a["start_s"]
        mean = images * of_slot / speeds[slot]
        work = max(random.gauss(mean, a["spread"] * of_slot / speeds[slot] * images ** 0.5), 0.0)
        life = random.expovariate(1 / loss)
        if life < work:
            lost += 1
            # What is in hand is done again: at most an image a thread.
            left = min(images, images - int(images * life / work) + a["threads_a_slot"])
            heapq.heappush(waiting, (begin + life + a["requeue_s"], index, left))
            work = life
        else:
            ends.append(begin + work)
        busy += work
        heapq.heappush(free, (begin + work, slot))
    ends.sort()
    whole = ends[-1]
    ideal = a["images"] * of_slot / sum(speeds)
    return {"shards": shards, "images_a_shard": share, "shard_s": share * of_slot, "hours": whole / 3600,
            "over_ideal": whole / ideal, "lost_tasks": lost, "starts_s": a["start_s"] * (shards + lost),
            "tail_s": whole - ends[int(0.99 * (shards - 1))]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--program", type=Path, default=ROOT / "build/bin/bankside")
    chosen = parser.parse_args()
    image_s, result_bytes = stage_seconds()
    rows = [{key: round(value, 3) for key, value in simulate(shards, image_s).items()} for shards in SHARDS]
    calls = calls_an_image(chosen.program.resolve())
    per_second = ASSUMED["slots"] * ASSUMED["threads_a_slot"] * ASSUMED["overlap"] / image_s
    columns = list(rows[0])
    report = {
        "bankside": "study", "schema_version": 2,
        "environment": json.loads(BATCH.read_text(encoding="utf-8"))["environment"],
        "command": "python3 tests/bench/study.py --json study.json", "complete": True, "assumed": ASSUMED,
        "image_us": round(image_s * 1e6), "calls_an_image": calls, "images_a_second": round(per_second, 1),
        "bytes_a_second": round(per_second * result_bytes), "columns": columns,
        "rows": [[row[column] for column in columns] for row in rows]}
    chosen.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
