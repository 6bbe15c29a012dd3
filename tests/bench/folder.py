#!/usr/bin/env python3
"""A folder of photographs through the whole command: photographs a second, beside a plain OpenCV program.

    python3 -m venv venv && venv/bin/pip install opencv-python-headless
    venv/bin/python tests/bench/folder.py --json folder.json [--program build/bin/bankside] [--before OTHER]
                 [--photographs FOLDER] [--copies N] [--plain-copies N] [--rounds 7] [--job WORDS] [--memory DISK]

Everything lies in memory (/dev/shm, or DISK), so that no disk is measured. Without a folder the photographs are made:
phantoms of 999 x 960 pixels, as JPEG. The contenders take turns, A B C C B A: bankside on the CPU, on the first GPU and,
where there are several, on all of them (with the same bytes), another build, and the plain program, which is as many processes as there are cores, which share the files:
imread, the green channel as f32, filter2D for each of the twelve matched filters, maximum, imwrite as f32 TIFF. It has
fewer files to do, since it is slow and its pace the same; its processes are started, and have imported cv2, before its
time begins. The start of bankside counts; `one_us` is what it takes for one photograph alone. Results are compared before
anything is timed. `cores_busy` is processor time over time and cores, `stages` what the program's threads did;
`processor_us` and the ratios of it are less disturbed by other work on the machine.
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
JOB = "--bank vessel-matched --channel green --combine max --no-responses --format tiff"
CORES = len(os.sched_getaffinity(0))
WIDTH, HEIGHT = 999, 960


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Bankside:
    def __init__(self, name, program, words, folder):
        self.name = name
        self.folder = folder
        self.output = folder / "out"
        self.report = folder / "report.json"
        self.words = [program, "filter", *words.split(), "--no-progress", "--output", self.output, "--report",
                      self.report]
        self.samples, self.alone, self.stages = [], [], []
        self.engine = None

    def call(self, given):
        shutil.rmtree(self.output, ignore_errors=True)
        before, start = processor_seconds(), time.perf_counter()
        subprocess.run([*self.words, given], check=True, capture_output=True)
        seconds = time.perf_counter() - start
        report = json.loads(self.report.read_text(encoding="utf-8"))
        self.report.unlink()
        self.engine = report["images"][0]["steps"][0]["engine"]
        return seconds, processor_seconds() - before, report

    def run(self):
        self.alone.append(self.call(next((self.folder / "in").iterdir()))[0])
        seconds, busy, report = self.call(self.folder / "in")
        self.stages.append(report["stages"])
        self.samples.append((seconds / len(report["images"]), busy / len(report["images"])))
        return report["environment"]

    def first_result(self):
        return sorted(self.output.iterdir())[0]


def plain_program(files, output, taps, ready, go, done):
    import cv2  # pylint: disable=import-outside-toplevel
    cv2.setNumThreads(1)
    cv2.filter2D(taps[0], cv2.CV_32F, taps[0])
    ready.release()
    go.acquire()
    before = resource.getrusage(resource.RUSAGE_SELF)
    for file in files:
        green = cv2.imread(str(file))[:, :, 1].astype("float32")
        result = None
        for each in taps:
            response = cv2.filter2D(green, cv2.CV_32F, each, borderType=cv2.BORDER_REFLECT_101)
            result = response if result is None else cv2.max(result, response)
        cv2.imwrite(str(output / (file.stem + ".tiff")), result, [cv2.IMWRITE_TIFF_COMPRESSION, 1])
    usage = resource.getrusage(resource.RUSAGE_SELF)
    done.put(usage.ru_utime + usage.ru_stime - before.ru_utime - before.ru_stime)


class Plain:
    def __init__(self, bank, folder, copies):
        import numpy  # pylint: disable=import-outside-toplevel
        self.name = "opencv"
        self.taps = [numpy.array(each["taps"], numpy.float32).reshape(each["height"], each["width"])
                     if "height" in each else numpy.array(each["taps"], numpy.float32) for each in bank["filters"]]
        self.files = sorted((folder / "in").iterdir())[:copies]
        self.output = folder / "plain"
        self.samples, self.alone, self.stages = [], [], []
        self.engine = "filter2D"

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
        self.samples.append((seconds / len(self.files), busy / len(self.files)))

    def first_result(self):
        return sorted(self.output.iterdir())[0]


def make_photographs(program, given, folder, copies):
    """Each several times, under names of their own."""
    source = given
    if given is None:
        import cv2  # pylint: disable=import-outside-toplevel
        source = folder / "made"
        source.mkdir()
        for seed in range(8):
            subprocess.run([program, "phantom", "--size", str(max(WIDTH, HEIGHT)), "--seed", str(seed), "--output",
                            folder / "phantom", "--force"], check=True, capture_output=True)
            picture = cv2.imread(str(folder / "phantom/phantom.png"))[:HEIGHT, :WIDTH]
            cv2.imwrite(str(source / f"{seed}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    photographs = [file for file in sorted(source.iterdir()) if file.suffix.lower() in (".jpg", ".jpeg")]
    (folder / "in").mkdir()
    for i in range(copies):
        shutil.copy(photographs[i % len(photographs)], folder / f"in/{i:05}.jpg")
    return sum(file.stat().st_size for file in photographs) // len(photographs)


def gpus(program):
    """What `devices` says of each GPU."""
    lines = subprocess.run([program, "devices"], check=True, capture_output=True, text=True).stdout.splitlines()
    if not any(line.split()[:2] == ["cuda", "available"] for line in lines):
        return []
    return [line.split("  ")[-1].strip() for line in lines
            if line.startswith("cuda:") and line.split()[0][5:].isdigit()] or ["not named"]


def require_same(contenders, plain):
    """Nothing is timed that is not right: within what f32 sums of so many taps may differ."""
    import cv2  # pylint: disable=import-outside-toplevel
    theirs = cv2.imread(str(plain.first_result()), cv2.IMREAD_UNCHANGED)
    for contender in contenders:
        mine = cv2.imread(str(contender.first_result()), cv2.IMREAD_UNCHANGED)
        worst = abs(mine - theirs).max()
        if not worst <= 1e-4 * abs(theirs).max():
            raise SystemExit(f"{contender.name} differs from OpenCV by {worst}")


def middle(values):
    return {"median": statistics.median(values), "low": min(values), "high": max(values)}


def row_of(contender, against, cpu):
    paces = [1 / each for each, _ in contender.samples]
    row = {"contender": contender.name, "engine": contender.engine, "rounds": len(paces),
           "photographs_a_second": middle(paces),
           "processor_us": middle([busy * 1e6 for _, busy in contender.samples]),
           "cores_busy": statistics.median(busy / taken / CORES for taken, busy in contender.samples)}
    for name, other in (("times_opencv", against), ("times_cpu", cpu)):
        if other is not None and other is not contender and contender is not against:
            pairs = list(zip(contender.samples, other.samples))
            row[name] = middle([theirs[0] / mine[0] for mine, theirs in pairs])
            row[name + "_processor"] = middle([theirs[1] / mine[1] for mine, theirs in pairs])
    if contender.alone:
        row["one_us"] = statistics.median(contender.alone) * 1e6
    if contender.stages:
        row["threads_busy"] = statistics.median(
            sum(stage["share"] for stage in each["busy"] if stage["stage"] != "device") for each in contender.stages)
        row["stages"] = sorted(contender.stages, key=lambda each: each["wall_us"])[len(contender.stages) // 2]
    return row


def measure(chosen, folder):
    size = make_photographs(chosen.program, chosen.photographs, folder, chosen.copies)
    cpu = Bankside("cpu", chosen.program, chosen.job + " --engine cpu", folder)
    contenders = [cpu]
    devices = gpus(chosen.program)
    count = len(devices)
    if count:
        contenders.append(Bankside("gpu", chosen.program, chosen.job + " --engine auto --device 0", folder))
    if count > 1:
        contenders.append(Bankside("gpus", chosen.program, chosen.job + " --engine auto", folder))
    if chosen.before:
        contenders.append(Bankside("before", chosen.before, chosen.job + " --engine cpu", folder))
    plain = None
    if chosen.job == JOB:
        subprocess.run([chosen.program, "banks", "export", "vessel-matched", folder / "bank.json"], check=True,
                       capture_output=True)
        plain = Plain(json.loads((folder / "bank.json").read_text(encoding="utf-8")), folder, chosen.plain_copies)
        plain.run()
    environment = {}
    results = {}
    for contender in contenders:
        environment[contender.name] = contender.run()
        results[contender.name] = [file.read_bytes() for file in sorted(contender.output.iterdir())[:20]]
        if plain:
            require_same([contender], plain)
    if count > 1 and results["gpu"] != results["gpus"]:
        raise SystemExit("several GPUs give other bytes than one")
    everybody = contenders + ([plain] if plain else [])
    for contender in everybody:
        contender.samples.clear()
        contender.alone.clear()
        contender.stages.clear()
    for turn in range(chosen.rounds):
        for contender in everybody if turn % 2 == 0 else reversed(everybody):
            contender.run()
    kept = environment["cpu"]
    if chosen.before:
        kept["before"] = environment["before"]["bankside"]
    if plain:
        import cv2  # pylint: disable=import-outside-toplevel
        kept["opencv_plain"] = cv2.__version__
    kept["cores"] = CORES
    if devices:
        kept["gpu"] = devices[0]
    if count > 1:
        kept["gpus"] = count
    rows = [row_of(contender, plain, None if contender is cpu else cpu) for contender in everybody]
    return kept, size, rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=ROOT / "build/bin/bankside")
    parser.add_argument("--before", type=Path)
    parser.add_argument("--photographs", type=Path)
    parser.add_argument("--copies", type=int, default=125 * CORES)
    parser.add_argument("--plain-copies", type=int, default=10 * CORES)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--job", default=JOB, help="what bankside is asked; without OpenCV where it is not the default")
    parser.add_argument("--memory", type=Path, default=Path("/dev/shm"), help="a folder in memory")
    parser.add_argument("--json", type=Path, required=True)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.memory) as name:
        wanted = chosen.copies * WIDTH * HEIGHT * 5
        if shutil.disk_usage(name).free < wanted:
            raise SystemExit(f"{chosen.memory} has no room for {wanted >> 20} MB; name another with --memory")
        environment, size, rows = measure(chosen, Path(name))
    report = {"bankside": "folder", "schema_version": 2, "environment": environment,
              "command": "python3 tests/bench/folder.py" + (" --photographs FOLDER" if chosen.photographs else "") +
                         f" --copies {chosen.copies} --rounds {chosen.rounds}" +
                         (" --before OTHER" if chosen.before else "") +
                         (f' --job "{chosen.job}"' if chosen.job != JOB else ""),
              "job": chosen.job, "photographs": "given" if chosen.photographs else "made", "bytes_of_one": size,
              "copies": chosen.copies, "complete": True, "rows": rows}
    chosen.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    for row in rows:
        pace = row["photographs_a_second"]
        against = f", {row['processor_us']['median'] / 1e3:.1f} ms of a processor each"
        if "times_opencv" in row:
            against += (f", {row['times_opencv']['median']:.1f} times OpenCV "
                        f"({row['times_opencv_processor']['median']:.1f} by processor time)")
        against += f", {row['times_cpu']['median']:.2f} times the CPU" if "times_cpu" in row else ""
        busy = f", threads busy {row['threads_busy'] * 100:.0f} %" if "threads_busy" in row else ""
        alone = f", one alone {row['one_us'] / 1e3:.0f} ms" if "one_us" in row else ""
        print(f"{row['contender']:7} {pace['median']:7.1f} photographs/s ({pace['low']:.1f} to {pace['high']:.1f}), "
              f"cores busy {row['cores_busy'] * 100:.0f} %{busy}{against}{alone}")


if __name__ == "__main__":
    main()
