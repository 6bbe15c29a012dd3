"""A chunked array through dask.array.map_overlap: the bytes of the array in one piece."""

import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

if any(importlib.util.find_spec(name) is None for name in ("dask", "numpy")):
    print("skipped: Dask is not installed")
    sys.exit(0)

import dask.array
import numpy

import bankside


class Dask(unittest.TestCase):
    def test_chunks_give_the_bytes_of_the_whole(self):
        image = numpy.random.default_rng(5).integers(0, 256, (301, 403), "uint8")
        for name, depth in (("sobel", 1), ("gaussian:sigma=3", 12), ("vessel-matched:orientations=4", 20)):
            for border in ("reflect101", "constant", "replicate", "reflect"):

                def response(block):
                    return bankside.filter(
                        block, name, combine="max", border=border, precision="exact", threads=1
                    )

                sizes = bankside.Bank(name).taps[0][0]
                self.assertLessEqual(max(len(sizes), len(sizes[0])) // 2, depth)
                chunked = dask.array.from_array(image, chunks=(128, 100)).map_overlap(
                    response, depth=depth, boundary="none", dtype="float32", meta=numpy.empty((0, 0), "float32")
                )
                self.assertEqual(chunked.numblocks, (3, 5))
                got = chunked.compute(scheduler="threads", num_workers=4)
                self.assertEqual(got.tobytes(), response(image).tobytes(), (name, border))

    @unittest.skipUnless(
        all(importlib.util.find_spec(name) for name in ("distributed", "zarr")), "distributed or zarr is not installed"
    )
    def test_four_workers_over_zarr(self):
        import zarr

        example = Path(__file__).resolve().parents[1] / "examples/zarr_edges.py"
        image = numpy.random.default_rng(6).integers(0, 256, (700, 901), "uint8")
        with tempfile.TemporaryDirectory() as folder:
            scan, edges = f"{folder}/scan.zarr", f"{folder}/edges.zarr"
            zarr.create_array(scan, data=image, chunks=(256, 300))
            subprocess.run([sys.executable, example, scan, edges, "--bank", "gaussian:sigma=2", "--combine", "sum"],
                           check=True, capture_output=True, timeout=240)
            got = zarr.open_array(edges, mode="r")
            self.assertEqual((got.shape, got.dtype, got.chunks), (image.shape, numpy.float32, (256, 300)))
            whole = bankside.filter(image, "gaussian:sigma=2", combine="sum", precision="exact", threads=1)
            self.assertEqual(got[:].tobytes(), whole.tobytes())


if __name__ == "__main__":
    unittest.main()
