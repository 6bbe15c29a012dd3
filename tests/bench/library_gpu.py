#!/usr/bin/env python3
"""bankside on PyTorch's tensors on a GPU beside PyTorch's own conv2d in fp32, judged, then timed in turns.

    PYTHONPATH=build/python tests/bench/library_gpu.py --json torch.json

Both pad with zeros and write new tensors. cuDNN is let try its algorithms first (torch.backends.cudnn.benchmark), TF32
is off. A round is a few calls of either, one after the other, between two events; the ratio is of paired rounds.
"""
import argparse
import json
import statistics
import sys

CELLS = [(15, 12), (3, 8), (5, 32)]  # filter size, filters
SIDE = 4096
ROUNDS = 15


def judge(torch, image, taps, results):
    """The largest error beside the sum of |tap x pixel|, of some rows against sums in double."""
    size = taps.shape[-1]
    half = size // 2
    worst = 0.0
    for first in (0, SIDE // 2, SIDE - 40):
        last = min(first + 40, SIDE)
        rows = torch.nn.functional.pad(image[first - min(first, half) : last + half], (half, half))
        rows = torch.nn.functional.pad(rows, (0, 0, half if first == 0 else 0, 0))
        missing = last - first + 2 * half - rows.shape[0]
        rows = torch.nn.functional.pad(rows, (0, 0, 0, missing)).double()[None, None]
        wide = taps.double()[:, None]
        exact = torch.nn.functional.conv2d(rows, wide)[0]
        sums = torch.nn.functional.conv2d(rows.abs(), wide.abs())[0]
        error = (results[:, first:last].double() - exact).abs() / sums
        worst = max(worst, float(error.max()))
    return worst


def microseconds(torch, call, calls):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(calls):
        call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1e3 / calls


def cell(torch, bankside, size, filters):
    generator = torch.Generator(device="cuda").manual_seed(size)
    image = torch.rand(SIDE, SIDE, device="cuda", generator=generator) * 2 - 1
    taps = torch.rand(filters, size, size, device="cuda", generator=generator) * 2 - 1
    bank = bankside.Bank(taps.tolist())
    plan = bankside.Plan(bank, (SIDE, SIDE), "float32", border="constant", device="cuda:0")
    out = torch.empty(filters, SIDE, SIDE, device="cuda")
    padded, weights = image[None, None], taps[:, None].contiguous()
    calls = {
        "bankside": lambda: plan(image, out),
        "bankside.filter": lambda: bankside.filter(image, bank, border="constant"),
        "torch": lambda: torch.nn.functional.conv2d(padded, weights, padding=size // 2),
    }
    errors = {
        "bankside": judge(torch, image, taps, plan(image)),
        "torch": judge(torch, image, taps, calls["torch"]()[0]),
    }
    if errors["bankside"] > 2**-13:
        raise SystemExit(f"{size} x {size} x {filters}: off by {errors['bankside']} of the sum of magnitudes")
    times = {name: [] for name in calls}
    for call in calls.values():
        microseconds(torch, call, 3)
    for _ in range(ROUNDS):
        for name, call in calls.items():
            times[name].append(microseconds(torch, call, 5))
    row = {"cell": f"{size} x {size} x {filters}", "side": SIDE, "type": "f32", "choice": plan.choice}
    for name in calls:
        row[name] = {
            "median_us": round(statistics.median(times[name]), 2), "low_us": round(min(times[name]), 2),
            "high_us": round(max(times[name]), 2),
        }
    for name in ("bankside", "bankside.filter"):
        ratios = sorted(theirs / ours for ours, theirs in zip(times[name], times["torch"]))
        row[name]["times_faster"] = round(statistics.median(ratios), 2)
    row["error"] = {name: float(f"{error:.3g}") for name, error in errors.items()}
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", required=True)
    given = parser.parse_args()
    import torch

    import bankside

    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    report = {
        "bankside": "library-gpu", "schema_version": 1,
        "environment": {
            "gpu": torch.cuda.get_device_name(0), "torch": torch.__version__, "cuda": torch.version.cuda,
            "cudnn": torch.backends.cudnn.version(), "python": sys.version.split()[0],
        },
        "command": "PYTHONPATH=build/python python3 tests/bench/library_gpu.py --json torch.json",
        "rows": [cell(torch, bankside, *which) for which in CELLS],
    }
    with open(given.json, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")
    for row in report["rows"]:
        print(row["cell"], {k: row[k] for k in ("bankside", "bankside.filter", "torch", "error")})


if __name__ == "__main__":
    main()
