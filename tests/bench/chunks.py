#!/usr/bin/env python3
"""An array in zarr through four workers of dask.distributed, and whether its bytes are those of the array in one piece.

    PYTHONPATH=build/python tests/bench/chunks.py --json chunks.json [--side 40000] [--chunk 4000] [--folder DIR]

Runs python/examples/zarr_edges.py over noise of uint8. The folder (a new temporary one) takes about nine bytes a pixel.
"""
import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from preload import ROOT, environment_of


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--side", type=int, default=40000)
    parser.add_argument("--chunk", type=int, default=4000)
    parser.add_argument("--folder")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--json", type=Path, required=True)
    given = parser.parse_args()
    import numpy
    import zarr

    import bankside

    side, chunk = given.side, given.chunk
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        random = numpy.random.default_rng(8)
        scan = zarr.create_array(f"{folder}/scan.zarr", shape=(side, side), chunks=(chunk, chunk), dtype="uint8",
                                 compressors=None)
        image = numpy.memmap(f"{folder}/scan", "uint8", "w+", shape=(side, side))
        for y in range(0, side, chunk):
            image[y : y + chunk] = random.integers(0, 256, (min(chunk, side - y), side), "uint8")
            scan[y : y + chunk] = image[y : y + chunk]
        start = time.perf_counter()
        subprocess.run([sys.executable, ROOT / "python/examples/zarr_edges.py", f"{folder}/scan.zarr",
                        f"{folder}/edges.zarr"], check=True)
        chunked = time.perf_counter() - start
        whole = numpy.memmap(f"{folder}/edges", "float32", "w+", shape=(side, side))
        start = time.perf_counter()
        bankside.filter(image, "sobel", combine="magnitude", precision="exact", threads=1, out=whole)
        single = time.perf_counter() - start
        edges = zarr.open_array(f"{folder}/edges.zarr", mode="r")
        same = all(edges[y : y + chunk].tobytes() == whole[y : y + chunk].tobytes() for y in range(0, side, chunk))
    report = {"bankside": "chunks", "schema_version": 1, "environment": environment_of(given.build.resolve()),
              "command": f"PYTHONPATH=build/python python3 tests/bench/chunks.py --json chunks.json --side {side}"
                         f" --chunk {chunk}",
              "rows": [{"side": side, "chunk": chunk, "workers": 4, "same_bytes": same, "chunked_s": chunked,
                        "one_piece_one_thread_s": single}]}
    given.json.write_text(json.dumps(report) + "\n", encoding="utf-8")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
