"""Several mutants at once: a process each, with a folder of its own for what it makes, on two processors.

Test programs start as many threads as they see processors: on all of a large machine they would wait for each other,
and do more work than they may.
"""
import ctypes
import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor

BUILD = None  # of a worker


def processors(number, every):
    """Those of a worker: pairs in turn."""
    pairs = max(1, len(every) // 2)
    return every[2 * (number % pairs):][:2]


def begun(build, begun_so_far):
    """A worker ends with the program that started it, and works in a folder that no other has."""
    global BUILD
    with begun_so_far.get_lock():
        number = begun_so_far.value
        begun_so_far.value += 1
    os.sched_setaffinity(0, processors(number, sorted(os.sched_getaffinity(0))))
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    place = build.work / str(os.getpid())
    place.mkdir()
    BUILD = build.moved(place)


def worked(function, arguments):
    return function(BUILD, *arguments)


class Workers:
    """Calls of functions that take the worker's build first."""

    def __init__(self, build, jobs):
        self.build = build
        self.pool = ProcessPoolExecutor(jobs, initializer=begun,
                                        initargs=(build, multiprocessing.Value("i", 0)))

    def submit(self, function, *arguments):
        return self.pool.submit(worked, function, arguments)

    def map(self, function, every):
        return [done.result() for done in [self.submit(function, *arguments) for arguments in every]]
