#!/usr/bin/env python3
"""A folder of photographs through the whole command: files a second, beside another build and a plain OpenCV program.

    python3 -m venv venv && venv/bin/pip install opencv-python-headless
    venv/bin/python tests/bench/folder.py --json folder.json [--program build/bin/bankside] [--before OTHER]
                                          [--photograph FILE.jpg] [--copies 100] [--rounds 7] [--job WORDS]

Everything lies in memory (/dev/shm), so that no disk is measured. The contenders take turns, A B C C B A. The plain
program is as many processes as there are cores, which share the files: imread, the green channel as f32, filter2D for
each of the twelve matched filters, maximum, imwrite as f32 TIFF. Its processes are started, and have imported cv2,
before its time begins; the start of bankside counts. `cores_busy` is processor time over time and cores.
"""
import argparse
import json
import multiprocessing
import os
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PHOTOGRAPH = ROOT / "assets/images/retina.jpg"
JOB = "--bank vessel-matched --channel green --combine max --no-responses --format tiff"
CORES = len(os.sched_getaffinity(0))


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Bankside:
    def __init__(self, name, program, job, folder):
        self.name = name
        self.output = folder / "out"
        self.report = folder / "report.json"
        self.words = [program, "filter", folder / "in", *job.split(), "--no-progress", "--output", self.output,
                      "--report", self.report]
        self.samples = []
        self.stages = []

    def run(self):
        shutil.rmtree(self.output, ignore_errors=True)
        before, start = processor_seconds(), time.perf_counter()
        subprocess.run(self.words, check=True, capture_output=True)
        seconds = time.perf_counter() - start
        report = json.loads(self.report.read_text(encoding="utf-8"))
        self.report.unlink()
        self.stages.append(report.get("stages"))
        self.samples.append((seconds, processor_seconds() - before))
        return report["environment"]


def plain_program(files, output, taps, ready, go, done):
    import cv2  # pylint: disable=import-outside-toplevel
    cv2.setNumThreads(1)
    cv2.filter2D(taps[0], cv2.CV_32F, taps[0])
    ready.release()
    go.acquire()
    for file in files:
        green = cv2.imread(str(file))[:, :, 1].astype("float32")
        result = None
        for each in taps:
            response = cv2.filter2D(green, cv2.CV_32F, each, borderType=cv2.BORDER_REFLECT_101)
            result = response if result is None else cv2.max(result, response)
        cv2.imwrite(str(output / (file.stem + ".tiff")), result, [cv2.IMWRITE_TIFF_COMPRESSION, 1])
    usage = resource.getrusage(resource.RUSAGE_SELF)
    done.put(usage.ru_utime + usage.ru_stime)


class Plain:
    def __init__(self, bank, folder):
        import numpy  # pylint: disable=import-outside-toplevel
        self.name = "opencv"
        self.taps = [numpy.array(each["taps"], numpy.float32).reshape(each["height"], each["width"])
                     if "height" in each else numpy.array(each["taps"], numpy.float32) for each in bank["filters"]]
        self.files = sorted((folder / "in").iterdir())
        self.output = folder / "out"
        self.samples = []
        self.stages = []

    def run(self):
        shutil.rmtree(self.output, ignore_errors=True)
        self.output.mkdir()
        ready, go, done = multiprocessing.Semaphore(0), multiprocessing.Semaphore(0), multiprocessing.Queue()
        processes = [multiprocessing.Process(target=plain_program, args=(self.files[i::CORES], self.output, self.taps,
                                                                         ready, go, done)) for i in range(CORES)]
        for process in processes:
            process.start()
        for _ in processes:
            ready.acquire()
        start = time.perf_counter()
        for _ in processes:
            go.release()
        busy = sum(done.get() for _ in processes)
        seconds = time.perf_counter() - start
        for process in processes:
            process.join()
        self.samples.append((seconds, busy))
        return None


def row_of(contender, images, against):
    seconds = [sample[0] for sample in contender.samples]
    row = {"contender": contender.name, "rounds": len(seconds), "images_a_second": images / statistics.median(seconds),
           "images_a_second_low": images / max(seconds), "images_a_second_high": images / min(seconds),
           "cores_busy": statistics.median(busy / taken / CORES for taken, busy in contender.samples)}
    if against is not None and against is not contender:
        ratios = [theirs[0] / mine[0] for mine, theirs in zip(contender.samples, against.samples)]
        row["times_opencv"] = statistics.median(ratios)
        row["times_opencv_low"], row["times_opencv_high"] = min(ratios), max(ratios)
    if contender.stages and contender.stages[-1]:
        middle = sorted(contender.stages, key=lambda stages: stages["wall_us"])[len(contender.stages) // 2]
        row["stages"] = middle
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=ROOT / "build/bin/bankside")
    parser.add_argument("--before", type=Path)
    parser.add_argument("--photograph", type=Path, default=PHOTOGRAPH)
    parser.add_argument("--copies", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--job", default=JOB, help="what bankside is asked; without OpenCV where it is not the default")
    parser.add_argument("--json", type=Path, required=True)
    chosen = parser.parse_args()
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as name:
        folder = Path(name)
        (folder / "in").mkdir()
        for i in range(chosen.copies):
            shutil.copy(chosen.photograph, folder / f"in/{i:04}{chosen.photograph.suffix}")
        contenders = [Bankside("this", chosen.program, chosen.job, folder)]
        if chosen.before:
            contenders.append(Bankside("before", chosen.before, chosen.job, folder))
        plain = None
        if chosen.job == JOB:
            subprocess.run([chosen.program, "banks", "export", "vessel-matched", folder / "bank.json"], check=True,
                           capture_output=True)
            plain = Plain(json.loads((folder / "bank.json").read_text(encoding="utf-8")), folder)
            contenders.append(plain)
        environment = contenders[0].run()
        before = contenders[1].run()["bankside"] if chosen.before else None
        for contender in contenders:
            contender.samples.clear()
            contender.stages.clear()
        for turn in range(chosen.rounds):
            for contender in contenders if turn % 2 == 0 else reversed(contenders):
                contender.run()
    if before:
        environment["before"] = before
    if plain:
        import cv2  # pylint: disable=import-outside-toplevel
        environment["opencv_plain"] = cv2.__version__
    environment["cores"] = CORES
    try:
        photograph = str(chosen.photograph.resolve().relative_to(ROOT))
    except ValueError:
        photograph = chosen.photograph.name
    report = {"bankside": "folder", "schema_version": 1, "environment": environment,
              "command": f"python3 tests/bench/folder.py --copies {chosen.copies} --rounds {chosen.rounds}" +
                         (" --before OTHER" if before else ""),
              "job": chosen.job, "photograph": photograph, "copies": chosen.copies, "complete": True,
              "rows": [row_of(contender, chosen.copies, plain) for contender in contenders]}
    chosen.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    for row in report["rows"]:
        against = f", {row['times_opencv']:.1f} times OpenCV" if "times_opencv" in row else ""
        print(f"{row['contender']:7} {row['images_a_second']:7.1f} images/s, cores busy {row['cores_busy'] * 100:.0f} %"
              f"{against}")


if __name__ == "__main__":
    main()
