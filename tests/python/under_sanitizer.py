#!/usr/bin/env python3
"""Runs a test of the module under a sanitizer whose library was loaded first (LD_PRELOAD): under_sanitizer.py TEST.

What NumPy and SciPy make when they are imported they never give back. That is no leak of ours, and so they are imported
here while the leak sanitizer looks away. From then on whatever is lost is found, which wants PYTHONMALLOC=malloc: what lies
in Python's own arenas it does not see.
"""
import contextlib
import ctypes
import importlib
import os
import runpy
import sys


@contextlib.contextmanager
def unseen():
    ours = ctypes.CDLL(None)
    if not hasattr(ours, "__lsan_disable"):  # the thread sanitizer knows no leaks
        yield
        return
    ours.__lsan_disable()
    yield
    ours.__lsan_enable()


with unseen():
    for name in ("numpy", "scipy.ndimage"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)

# What chooses more calls and what reads types take longest here, and reach nothing that other tests do not.
for name in ("hypothesis", "mypy"):
    sys.modules[name] = None

test = sys.argv[1]
sys.argv = sys.argv[1:]
sys.path[0] = os.path.dirname(os.path.abspath(test))
runpy.run_path(test, run_name="__main__")
