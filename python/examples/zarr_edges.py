#!/usr/bin/env python3
"""Responses of an array in zarr that is larger than memory, by workers of dask.distributed, into another.

    python3 zarr_edges.py scan.zarr edges.zarr [--bank sobel] [--combine magnitude] [--workers 4]

Blocks see as many pixels of their neighbours as the bank reaches, and float32 sums go in one order: the bytes are those
of the array in one piece. Each worker is a process that filters on one thread. `--scheduler tcp://host:8786` takes
workers that run elsewhere.
"""
import argparse

import dask.array
import distributed

import bankside


def response(block, bank, combine, border):
    return bankside.filter(block, bank, combine=combine, border=border, precision="exact", threads=1)


def reach(bank):
    """How far the bank sees from a pixel, as Dask's depth."""
    far = [(max(y, len(taps[0]) - 1 - y), max(x, len(taps[0][0]) - 1 - x))
           for taps, (x, y) in zip(bank.taps, bank.anchors)]
    return {0: max(y for y, _ in far), 1: max(x for _, x in far)}


def filtered(image, bank, combine="magnitude", border="reflect101"):
    """A Dask array of float32 over one [H,W]; `border` is any but "wrap"."""
    return image.map_overlap(response, depth=reach(bankside.Bank(bank)), boundary="none", dtype="float32",
                             meta=image._meta.astype("float32"), bank=bank, combine=combine, border=border)


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--bank", default="sobel")
    parser.add_argument("--combine", default="magnitude")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--scheduler")
    given = parser.parse_args(words)
    local = {} if given.scheduler else {"n_workers": given.workers, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.Client(given.scheduler, **local):
        filtered(dask.array.from_zarr(given.source), given.bank, given.combine).to_zarr(given.target)


if __name__ == "__main__":
    main()
