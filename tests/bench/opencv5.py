#!/usr/bin/env python3
"""Times today's OpenCV (opencv-python-headless, with IPP on x86) and writes rows as `bankside bench cpu` does.

A process of its own: that OpenCV cannot live in one program with the distribution's. The dense banks are those of
`bankside bench cpu` tap by tap (the same generator and seeds); pixels are random too, but not the same ones.

  python3 -m venv venv && venv/bin/pip install opencv-python-headless
  venv/bin/python tests/bench/opencv5.py --sizes 2048 --filters 12 --types f32 --json opencv5.json
  bankside bench cpu --sizes 2048 --filters 12 --types f32 --threads 1 --with-rows opencv5.json --json speed.json

A row is F calls of cv2.filter2D into results that exist already, u8 converted to f32 first where that is faster.
With several threads, either OpenCV's own (it spreads IPP's and its own loops as it likes) or the F calls side by
side, whichever is faster; `variant` says which.
"""
import argparse
import json
import os
import platform
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np

ALL = len(os.sched_getaffinity(0))


class Mersenne64:
    """std::mt19937_64."""

    def __init__(self, seed):
        self.mask = (1 << 64) - 1
        self.state = [seed & self.mask]
        for i in range(1, 312):
            last = self.state[-1]
            self.state.append((6364136223846793005 * (last ^ (last >> 62)) + i) & self.mask)
        self.at = 312

    def __call__(self):
        if self.at == 312:
            s = self.state
            for i in range(312):
                x = (s[i] & 0xFFFFFFFF80000000) | (s[(i + 1) % 312] & 0x7FFFFFFF)
                s[i] = s[(i + 156) % 312] ^ (x >> 1) ^ (0xB5026F5AA96619E9 if x & 1 else 0)
            self.at = 0
        x = self.state[self.at]
        self.at += 1
        x ^= (x >> 29) & 0x5555555555555555
        x ^= (x << 17) & 0x71D67FFFEDA60000
        x ^= (x << 37) & 0xFFF7EEE000000000
        return (x ^ (x >> 43)) & self.mask


def dense_bank(size, count):
    """core/made_input's randomBank with core/bench/bench_grid's seed; uniform_real_distribution as libstdc++ has it."""
    random = Mersenne64(size * 1000 + count + 2000)
    low, high = np.float32(0.01), np.float32(1.0)
    taps = np.empty(count * size * size, np.float32)
    below_one = np.nextafter(np.float32(1), np.float32(0))
    for i in range(taps.size):
        share = min(np.float32(random()) / np.float32(2.0**64), below_one)
        tap = share * (high - low) + low
        taps[i] = tap if random() % 2 == 0 else -tap
    return taps.reshape(count, size, size)


def interval(samples):
    """Median and its 95 % interval from order statistics, as core/bench/measure.h."""
    ordered = sorted(samples)
    n, k, term, tail = len(ordered), 0, 2.0 ** -len(ordered), 0.0
    while k < n // 2 and tail + term <= 0.025:
        tail += term
        k += 1
        term *= (n - k + 1) / k
    k = max(k, 1)
    return statistics.median(ordered), ordered[k - 1], ordered[n - k]


def verify(image, bank, results):
    """The largest error on a few hundred pixels against double precision, and whether all lie within the bound of
    one rounding a tap (or, where filter2D goes through the DFT, of four a stage over the image's range)."""
    size = bank.shape[1]
    reach = size // 2
    padded = np.pad(image.astype(np.float64), reach, mode="reflect")
    random = np.random.default_rng(1)
    worst, passed = 0.0, True
    for _ in range(300):
        y, x = (int(random.integers(image.shape[0])) for _ in range(2))
        f = int(random.integers(len(bank)))
        terms = padded[y:y + size, x:x + size] * bank[f].astype(np.float64)
        error = abs(float(results[f][y, x]) - terms.sum())
        pixels = np.abs(padded).max()
        bound = 2.0**-24 * max(size * size * 1.01 * np.abs(terms).sum(),
                               (4 * 16 * np.abs(bank[f]).sum() * pixels) if size >= 8 else 0)
        worst, passed = max(worst, error), passed and error <= bound
    return worst, passed


def contenders(image, bank, results, threads):
    """The ways to call it that are tried, by name; each fills `results`."""
    floats = np.empty(image.shape, np.float32)

    def convert():
        return image if image.dtype == np.float32 else np.copyto(floats, image) or floats

    def one(source, f):
        cv2.filter2D(source, cv2.CV_32F, bank[f], dst=results[f], borderType=cv2.BORDER_REFLECT_101)

    def calls(prepare):
        def run():
            source = prepare()
            for f in range(len(bank)):
                one(source, f)
        return run

    ways = {"calls one after the other": calls(convert)}
    if image.dtype != np.float32:
        ways["calls one after the other, u8 as it is"] = calls(lambda: image)
    if threads > 1:
        pool = ThreadPoolExecutor(threads)

        def spread():
            source = convert()
            list(pool.map(lambda f: one(source, f), range(len(bank))))
        ways["calls side by side"] = spread
    return ways


def time_way(run, seconds, rounds, own_threads):
    cv2.setNumThreads(own_threads)
    run()
    samples, start = [], time.perf_counter()
    while len(samples) < rounds or (time.perf_counter() - start < seconds and len(samples) < 51):
        begin = time.perf_counter()
        run()
        samples.append(time.perf_counter() - begin)
    return samples


def row(size, filter_size, count, kind, threads, options):
    random = np.random.default_rng(1)
    image = (random.integers(0, 256, (size, size), np.uint8) if kind == "u8" else
             random.uniform(-1, 1, (size, size)).astype(np.float32))
    bank = dense_bank(filter_size, count)
    results = [np.empty((size, size), np.float32) for _ in range(count)]
    best = None
    for name, run in contenders(image, bank, results, threads).items():
        samples = time_way(run, options.seconds, options.rounds, 1 if name == "calls side by side" else threads)
        if best is None or statistics.median(samples) < statistics.median(best[1]):
            best = (name, samples, run)
    name, samples, run = best
    for result in results:
        result.fill(np.nan)
    run()
    error, passed = verify(image, bank, results)
    median, low, high = interval(samples)
    flops = 2.0 * count * filter_size**2 * size * size
    line = {
        "size": size, "filter_size": filter_size, "filter_count": count, "type": kind, "threads": threads,
        "combine": "none", "bank": "dense",
        "problem": f"c1h{size}w{size}-f{count}k{filter_size}-reflect101-{kind}:f32-none",
        "engine": f"opencv{cv2.__version__.split('.')[0]}:filter2D", "device": "CPU",
        "variant": f"OpenCV {cv2.__version__}, {name}", "disposition": "PASSED" if passed else "INCORRECT",
        "reason": None if passed else f"error {error}", "rounds": len(samples),
        "median_us": median * 1e6, "low_us": low * 1e6, "high_us": high * 1e6, "compute_median_us": median * 1e6,
        "gflops": flops / median / 1e9, "megapixel_filters_per_second": size * size * count / 1e6 / median,
        "max_abs_error": error,
        "command": f"python3 tests/bench/opencv5.py --sizes {size} --filter-sizes {filter_size} --filters {count} "
                   f"--types {kind} --threads {threads}",
    }
    if not passed:  # an incorrect result shows no speed
        for key in ("median_us", "low_us", "high_us", "compute_median_us", "gflops", "megapixel_filters_per_second"):
            line[key] = None
    return line


def environment():
    build = cv2.getBuildInformation()
    ipp = next((line.split(":", 1)[1].strip() for line in build.splitlines() if "Intel IPP:" in line), "none")
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    return {"opencv": cv2.__version__, "ipp": ipp.split(" [")[0] if "[" in ipp else ipp.split(" (")[0],
            "python": platform.python_version(), "numpy": np.__version__, "processor": cpu, "processors": str(ALL)}


def main():
    def numbers(text):
        return [int(word) for word in text.split(",")]

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=numbers, default=[512, 1024, 2048, 4096])
    parser.add_argument("--filter-sizes", type=numbers, default=[3, 5, 7, 9, 11, 13, 15, 21, 31])
    parser.add_argument("--filters", type=numbers, default=[1, 8, 12, 32])
    parser.add_argument("--types", type=lambda text: text.split(","), default=["u8", "f32"])
    parser.add_argument("--threads", type=lambda text: [ALL if w == "all" else int(w) for w in text.split(",")],
                        default=[1, ALL])
    parser.add_argument("--seconds", type=float, default=1.0, help="a way and cell, at least")
    parser.add_argument("--rounds", type=int, default=6, help="a way and cell, at least")
    parser.add_argument("--json", required=True)
    options = parser.parse_args()
    rows = []
    for threads in dict.fromkeys(options.threads):
        for kind in options.types:
            for count in options.filters:
                for size in options.sizes:
                    for filter_size in options.filter_sizes:
                        rows.append(row(size, filter_size, count, kind, threads, options))
                        last = rows[-1]
                        print(f"{size} K {filter_size} F {count} {kind} {threads}: {last['disposition']} "
                              f"{last['gflops'] or 0:.1f} GFLOP/s, {last['variant']}", file=sys.stderr)
    report = {"bankside": "bench", "schema_version": 2, "environment": environment(),
              "command": " ".join(["python3 tests/bench/opencv5.py"] + sys.argv[1:]), "complete": True,
              "baseline": None, "notes": [], "limits": [], "rows": rows}
    with open(options.json, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
    return 4 if any(r["disposition"] == "INCORRECT" for r in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
