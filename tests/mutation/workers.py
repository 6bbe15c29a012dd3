"""Several mutants at once: a process each, with a folder of its own for what it makes."""
import ctypes
import os
import signal
from concurrent.futures import ProcessPoolExecutor

BUILD = None  # of a worker


def begun(build):
    """A worker ends with the program that started it, and works in a folder that no other has."""
    global BUILD
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
        self.pool = ProcessPoolExecutor(jobs, initializer=begun, initargs=(build,))

    def submit(self, function, *arguments):
        return self.pool.submit(worked, function, arguments)

    def map(self, function, every):
        return [done.result() for done in [self.submit(function, *arguments) for arguments in every]]
