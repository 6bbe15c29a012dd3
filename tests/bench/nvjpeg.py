#!/usr/bin/env python3
"""Does NVIDIA's decoder give the pixels of libjpeg, and how fast is it? torchvision has both.

    python3 tests/bench/nvjpeg.py PHOTOGRAPH.jpg --json nvjpeg.json      (a GPU, PyTorch, torchvision)
"""
import argparse
import json
import time
from pathlib import Path

import torch
import torchvision
from torchvision.io import ImageReadMode, decode_jpeg, read_file

SECONDS, BATCH = 3, 64


def a_second(decode, count):
    decode()
    start, done = time.perf_counter(), 0
    while time.perf_counter() - start < SECONDS:
        decode()
        done += count
    return done / (time.perf_counter() - start)


def on_device(data):
    pixels = decode_jpeg(data, mode=ImageReadMode.RGB, device="cuda")
    torch.cuda.synchronize()
    return pixels


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photograph")
    parser.add_argument("--json", type=Path, required=True)
    given = parser.parse_args()
    data = read_file(given.photograph)
    here, there = decode_jpeg(data, mode=ImageReadMode.RGB), on_device(data).cpu()
    apart = (here[1].int() - there[1].int()).abs()
    report = {"bankside": "nvjpeg", "schema_version": 2,
              "environment": {"gpu": torch.cuda.get_device_name(), "torchvision": torchvision.__version__},
              "command": "python3 tests/bench/nvjpeg.py PHOTOGRAPH.jpg --json nvjpeg.json", "complete": True,
              "rows": [{"height": here.shape[1], "width": here.shape[2], "green_differs": int((apart > 0).sum()) / apart.numel(),
                        "most": int(apart.max()), "device_a_second": a_second(lambda: on_device([data] * BATCH), BATCH),
                        "thread_a_second": a_second(lambda: decode_jpeg(data, mode=ImageReadMode.RGB), 1)}]}
    given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(report["rows"])


if __name__ == "__main__":
    main()
