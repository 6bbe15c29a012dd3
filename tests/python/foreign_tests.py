#!/usr/bin/env python3
"""Other projects' tests of filters with bankside's functions in place of theirs; how many calls are computed natively.

    PYTHONPATH=build/python tests/python/foreign_tests.py scipy|skimage|opencv [--json counts.json] [--source FOLDER]

scipy: the tests of scipy.ndimage/tests/test_filters.py that reach one of the functions, which SciPy brings itself.
skimage: scikit-image's tests of filters and of the features that are made of them, all of whose `ndi` is ours. From 0.26 on
they are in its source alone (--source; its version is skimage's; pytest-pretty is needed).
opencv: all of modules/python/test in the folder of OpenCV's source (--source; its version is cv2's), cv2's functions ours.
opencv_extra, whose pictures some want, is where OPENCV_TEST_DATA_PATH says; without it the one that wants no certain picture
and calls a function of ours gets one that is made here.
A call is native, or handed to the other library (of these: complex numbers, and those that it refuses). pytest is needed.
"""
import argparse
import collections
import functools
import importlib.util
import json
import os
import sys
import tempfile

NEEDED = {"scipy": ("numpy", "scipy", "pytest", "hypothesis"), "skimage": ("numpy", "scipy", "pytest", "skimage"),
          "opencv": ("numpy", "pytest", "cv2")}
# Beside test files that tests of the source tree need.
SKIMAGE = ("filters{}", "feature{}/test_canny.py", "feature{}/test_corner.py")


def skimage_tests(source):
    """Where scikit-image's tests lie: in folders of the package, or in one of the source."""
    folder = f"{source}/tests/skimage" if source else importlib.util.find_spec("skimage").submodule_search_locations[0]
    return [f"{folder}/{path.format('' if source else '/tests')}" for path in SKIMAGE]


class Counted:
    """Every call of our functions, by function and by what became of it; and the tests that made one."""

    def __init__(self, library):
        self.library = library
        self.calls = collections.defaultdict(collections.Counter)
        self.tests = collections.Counter()
        self.reached = False

    def pytest_runtest_setup(self, item):
        self.reached = False

    def pytest_runtest_logreport(self, report):
        if report.when != "call" or not (self.reached or report.failed):
            return
        # Of OpenCV's, some want pictures that its source does not bring, or an older NumPy.
        unreached = self.library == "OpenCV" and not self.reached
        self.tests["failed before any call of ours" if unreached else report.outcome] += 1

    def stand_in(self, name, ours, theirs):
        import numpy
        from bankside._elsewhere import NotHere

        @functools.wraps(theirs)
        def either(*given, **options):
            self.reached = True
            try:
                result = ours.__wrapped__(*given, **options)
            except NotHere:
                kind = f"handed to {self.library}"
                if any(isinstance(one, numpy.ndarray) and one.dtype.kind == "c"
                       for one in (*given, *options.values())):
                    kind = f"handed to {self.library}, complex"
                try:
                    result = theirs(*given, **options)
                except Exception:
                    self.calls[name][f"refused by {self.library}"] += 1
                    raise
                self.calls[name][kind] += 1
                return result
            self.calls[name]["native"] += 1
            return result

        return either


def made_pictures(folder):
    """For test_mser, which counts regions, 7 to 1,000: dark pieces on light ground."""
    import cv2
    import numpy

    picture = numpy.full((200, 200), 220, "uint8")
    for y in range(25, 200, 50):
        for x in range(25, 200, 50):
            cv2.circle(picture, (x, y), 15, 30, -1)
    os.makedirs(f"{folder}/cv/mser")
    cv2.imwrite(f"{folder}/cv/mser/puzzle.png", picture)


def patched_opencv(counted, source, pictures):
    """cv2's functions are ours from here on, and its tests find their pictures."""
    import cv2

    import bankside.cv2

    for name in bankside.cv2.__all__:
        setattr(cv2, name, counted.stand_in(name, getattr(bankside.cv2, name), getattr(cv2, name)))
    sys.path.insert(0, f"{source}/modules/python/test")
    import tests_common

    tests_common.NewOpenCVTests.repoPath = source
    tests_common.NewOpenCVTests.extraTestDataPath = pictures


def patched(counted):
    """scipy.ndimage's public functions are ours from here on; what SciPy calls inside stays its own."""
    import bankside.ndimage
    import scipy.ndimage
    from scipy._lib import _array_api

    known = getattr(_array_api, "xp_capabilities_table", {})  # SciPy's tests look up what a function can do

    for name in bankside.ndimage.__all__:
        theirs = getattr(scipy.ndimage, name)
        stand_in = counted.stand_in(name, getattr(bankside.ndimage, name), theirs)
        setattr(scipy.ndimage, name, stand_in)
        if theirs in known:
            known[stand_in] = known[theirs]


def arguments(suite, source):
    quiet = ["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider"]
    if suite == "scipy":
        names = "correlate or convolve or gauss or laplace or sobel or prewitt or uniform or mode or origin"
        return [*quiet, "-k", names, "--pyargs", "scipy.ndimage.tests.test_filters"]
    if suite == "opencv":
        folder = f"{source}/modules/python/test"
        return [*quiet, *sorted(f"{folder}/{file}" for file in os.listdir(folder) if file.startswith("test_"))]
    return [*quiet, "-o", "addopts=", *skimage_tests(source)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", choices=list(NEEDED))
    parser.add_argument("--json")
    parser.add_argument("--source")
    given = parser.parse_args()
    opencv = given.suite == "opencv"
    if opencv and given.source is None:
        parser.error("opencv needs --source")
    missing = [name for name in (*NEEDED[given.suite], "bankside") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: {', '.join(missing)} is not installed")
        return 0
    suite = "scipy.ndimage.tests.test_filters" if given.suite == "scipy" else "skimage.filters"
    try:
        found = opencv or importlib.util.find_spec(suite) and importlib.util.find_spec("scipy._lib._array_api")
    except ModuleNotFoundError:
        found = None
    if not found:
        print(f"skipped: the {given.suite} that is installed has no {suite}, or is older than these tests know")
        return 0
    if given.suite == "skimage" and not os.path.exists(skimage_tests(given.source)[0]):
        print(f"skipped: there is no {skimage_tests(given.source)[0]}; scikit-image's source has it (--source)")
        return 0
    import pytest

    counted = Counted("OpenCV" if opencv else "SciPy")
    with tempfile.TemporaryDirectory() as made:
        if opencv:
            made_pictures(made)
            patched_opencv(counted, given.source, os.environ.get("OPENCV_TEST_DATA_PATH", made))
        else:
            patched(counted)
        rc = pytest.main(arguments(given.suite, given.source), plugins=[counted])
    version = importlib.import_module("cv2" if opencv else given.suite).__version__
    rows = [{"function": name, **counts} for name, counts in sorted(counted.calls.items())]
    total = collections.Counter()
    for counts in counted.calls.values():
        total.update(counts)
    report = {"bankside": "foreign-tests", "schema_version": 1,
              "command": f"PYTHONPATH=build/python python3 tests/python/foreign_tests.py {given.suite}"
                         + (" --source FOLDER" if given.source else ""),
              "suite": f"{given.suite} {version}", "tests": dict(counted.tests), "calls": dict(total), "rows": rows}
    print(f"{given.suite} {version}: tests {dict(counted.tests)}, calls {dict(total)}")
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            file.write(json.dumps(report, indent=1) + "\n")
    return int(counted.tests["failed"] > 0 or not counted.calls if opencv else rc)


if __name__ == "__main__":
    sys.exit(main())
