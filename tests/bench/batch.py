#!/usr/bin/env python3
"""What plans, reports and audits of batches take as the number of images grows.

    tests/bench/batch.py --json batch.json [--program build/bin/bankside] [--counts 1000,10000,100000,1000000]

Files of one byte in folders of a thousand, and a journal of ten shards that says of each that it is done. Processor
time of user and system, and the largest resident memory, of one call each. The folder lies in memory (/dev/shm), so
that no disk is measured.
"""
import argparse
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARDS = 10


def call(words, codes=(0,)):
    """Processor time and peak memory."""
    child = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in codes:
        raise SystemExit(f"{words}: exit code {child.returncode}")
    return {"cpu_us": round((usage.ru_utime + usage.ru_stime) * 1e6), "peak_bytes": usage.ru_maxrss * 1024}


def make_images(folder, count):
    for first in range(0, count, 1000):
        below = folder / f"{first // 1000:04d}"
        below.mkdir(parents=True)
        for number in range(first, min(first + 1000, count)):
            with open(below / f"{number:07d}.png", "wb") as file:
                file.write(b"x")


def make_journals(manifest):
    folder = Path(f"{manifest}.journals")
    folder.mkdir()
    with open(manifest, "rb") as file:
        file.seek(-100, os.SEEK_END)
        digest = json.loads(file.read().splitlines()[-1])["hash"]
    journals = [open(folder / f"{digest}.{i}-of-{SHARDS}.jsonl", "w", encoding="utf-8") for i in range(SHARDS)]
    # Nothing is held here: a child's peak begins with this program's.
    with open(manifest, encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=-1):
            name = json.loads(line).get("id")
            if name is None:  # the first line and the last
                continue
            result = {"file": name.replace(".png", ".max.tiff"), "bytes": 7964090}
            entry = {"n": number, "attempt": 1, "status": "done", "id": name, "outputs": [result], "engine": "cpu",
                     "pages": 1, "decode_us": 16362, "filter_us": 40890, "encode_us": 14243}
            journals[number % SHARDS].write(json.dumps(entry, separators=(",", ":")) + "\n")
    for journal in journals:
        journal.close()


def measure(program, count, folder):
    make_images(folder / "in", count)
    manifest = folder / "study.jsonl"
    plan = call([program, "batch", "plan", folder / "in", folder / "out", "--manifest", manifest, "--bank", "sobel"])
    make_journals(manifest)
    merge = call([program, "batch", "merge", "--manifest", manifest, "--json", folder / "report.json", "--csv",
                  folder / "report.csv"])
    audit = call([program, "batch", "audit", "--manifest", manifest], codes=(3,))  # there are no results
    row = {"images": count, "manifest_bytes": manifest.stat().st_size}
    for name, figures in (("plan", plan), ("merge", merge), ("audit", audit)):
        row.update({f"{name}_{key}": value for key, value in figures.items()})
    return row


def environment(program, folder):
    report = folder / "environment.json"
    subprocess.run([program, "filter", ROOT / "assets/images/grain.png", "--bank", "sobel", "--output", folder / "e",
                    "--report", report], check=True, capture_output=True)
    return json.loads(report.read_text(encoding="utf-8"))["environment"]


def write(file, rows, there, counts):
    """After every count, so that what is complete is kept."""
    columns = list(rows[0])
    lines = ",\n  ".join(json.dumps([row[c] for c in columns], separators=(",", ":")) for row in rows)
    command = f"python3 tests/bench/batch.py --json batch.json --counts {counts}"
    complete = json.dumps(len(rows) == len(counts.split(",")))
    file.write_text(
        "{\n"
        ' "bankside": "batch",\n "schema_version": 2,\n'
        f' "environment": {json.dumps(there, separators=(",", ":"))},\n'
        f' "command": {json.dumps(command)},\n "complete": {complete},\n'
        f' "columns": {json.dumps(columns, separators=(",", ":"))},\n "rows": [\n  {lines}\n ]\n}}\n',
        encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--program", type=Path, default=ROOT / "build/bin/bankside")
    parser.add_argument("--counts", default="1000,10000,100000,1000000")
    chosen = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        there = environment(chosen.program, Path(name))
        for count in map(int, chosen.counts.split(",")):
            folder = Path(name) / str(count)
            folder.mkdir()
            rows.append(measure(chosen.program, count, folder))
            shutil.rmtree(folder)
            print(rows[-1], flush=True)
            write(chosen.json, rows, there, chosen.counts)


if __name__ == "__main__":
    main()
