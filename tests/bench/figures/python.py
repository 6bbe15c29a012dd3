"""The Python module beside SciPy and scikit-image: tests/bench/python_beside.py, tests/python/foreign_tests.py."""
from figures.numbers import duration, times
from figures.registry import figure, table
from figures.report import report, row, rows

BESIDE = "cpu/python/beside"
SCIPY = "cpu/python/scipy-tests"
SKIMAGE = "cpu/python/skimage-tests"
CALLS = "cpu/library/calls"
CHUNKS = "cpu/library/chunks"
THREADS = "h200/python-threads"


@table("python-beside", BESIDE)
def beside():
    lines = []
    for r in rows(BESIDE):
        what = f"correlate, {r['size']} x {r['size']}" if r.get("size") else r["what"]
        lines.append([what, duration(r["ours_ms"] * 1e3), duration(r["theirs_ms"] * 1e3), times(r["times"])])
    return ["1411 x 1411 float32, one core", "here", "there", "times faster"], lines


figure("python-correlate", BESIDE, lambda: times(report(BESIDE)["correlate_geometric_mean"]))
for suite, name in (("scipy", SCIPY), ("skimage", SKIMAGE)):
    figure(f"python-{suite}-tests", name, lambda name=name: f"{report(name)['tests']['passed']:,}")
    figure(f"python-{suite}-native", name, lambda name=name: f"{report(name)['calls']['native']:,}")
    figure(f"python-{suite}-handed", name, lambda name=name: f"{report(name)['calls']['handed to SciPy']:,}")
figure("python-call", CALLS, lambda: f"{row(CALLS, call='bankside.filter(image, bank, out=out)')['ns'] / 1e3:.2f} us")
figure("python-plan-call", CALLS, lambda: f"{row(CALLS, call='plan(image, out)')['ns'] / 1e3:.2f} us")
PRELOAD = "cpu/library/preload"
PRELOAD_COMMAND = "cmake --build build --target preload-cells bankside-filter2d && tests/bench/preload.py --json FILE"
figure("preload-cells", PRELOAD, lambda: str(report(PRELOAD)["one_thread"]["taken"]), PRELOAD_COMMAND)
for name_, kept_ in {"preload": PRELOAD, "preload-zen3": "cpu/library/preload-zen3"}.items():
    for figure_, threads_, which_ in (("least", "one_thread", "least"), ("median", "one_thread", "median"),
                                      ("all-least", "all_threads", "least")):
        figure(f"{name_}-{figure_}", kept_, lambda k=kept_, t=threads_, w=which_: times(report(k)[t][f"{w}_times"]),
               PRELOAD_COMMAND)
LEFT = "cpu/library/preload-left"
figure("preload-left", LEFT, lambda: f"{max(r['added_us'] for r in rows(LEFT)):.2f} us")
figure("python-import", CALLS, lambda: f"{row(CALLS, call='import bankside, CPU time')['ns'] / 1e6:.1f} ms")
WHEEL = "cpu/python/wheel"
figure("python-wheel", WHEEL, lambda: f"{rows(WHEEL)[0]['wheel_size'] / 1e6:.1f} MB")
figure("python-wheel-import", WHEEL, lambda: f"{rows(WHEEL)[0]['import_ms']:.1f} ms")
figure("python-chunks", CHUNKS, lambda: f"{rows(CHUNKS)[0]['side']:,} x {rows(CHUNKS)[0]['side']:,}")
figure("python-threads", THREADS, lambda: times(rows(THREADS)[0]["times"]))
figure("python-threads-rounds", THREADS,
       lambda: f"{rows(THREADS)[0]['times_low']:.1f} to {rows(THREADS)[0]['times_high']:.1f}")
