"""Figures of the CPU engines: `bankside bench cpu` on three machines."""
from figures.numbers import duration, number, span, times
from figures.registry import figure, table
from figures.report import geometric_mean, report, row, rows

ZEN5, XEON, ZEN4 = "Zen 5", "Xeon", "Zen 4"
FOLDERS = {ZEN5: "cpu/zen5", XEON: "cpu/xeon", ZEN4: "cpu"}
SIZES = (3, 5, 7, 9, 11, 13, 15, 21, 31)
GRIDS = {
    (ZEN5, 1): ("cpu/zen5/grid",), (XEON, 1): ("cpu/xeon/grid", "cpu/xeon/grid-32"),
    (XEON, 16): ("cpu/xeon/grid-all",), (ZEN4, 1): ("cpu/grid-2048",), (ZEN4, 2): ("cpu/grid-2048",),
}
TWELVE = {ZEN5: "cpu/zen5/dense-12", XEON: "cpu/xeon/dense-12", ZEN4: "cpu/grid-2048"}
FUSED = {ZEN5: "cpu/zen5/dense-12", XEON: "cpu/xeon/fused-12", ZEN4: "cpu/karatsuba-2048"}
ONEDNN = {ZEN5: "cpu/zen5/onednn", XEON: "cpu/xeon/onednn", ZEN4: "cpu/onednn"}
VESSEL = {ZEN5: "cpu/zen5/vessel", XEON: "cpu/xeon/vessel"}
ONE_FILTER = ("bankside bench cpu --sizes 512,2048 --filter-sizes $(seq -s, 63) --filters 1 --types u8,f32 --threads 1 "
              "--engines cpu,opencv:filter2D")
WHOLE_GRID = "bankside bench cpu --threads 1,all --engines cpu,opencv:filter2D"


def speedups(name, **wanted):
    """How many times faster than filter2D the engine `cpu` is, a cell each."""
    return [r["ratio_to_opencv"] for r in rows(name, engine="cpu", disposition="PASSED", **wanted)]


def cell(name, engine, **wanted):
    """The one passed row of an engine, or nothing."""
    found = rows(name, engine=engine, disposition="PASSED", **wanted)
    return found[0] if found else None


def ratio(other, ours):
    return times(other["median_us"] / ours["median_us"]) if other and ours else "-"


def path(entry):
    return entry["variant"].split(",")[0].removeprefix("cpu:")


def twelve(machine, size, combine="none", kept=TWELVE):
    return cell(kept[machine], "cpu", size=2048, filter_size=size, filter_count=12, type="f32", threads=1,
                combine=combine)


def speedup(entry):
    return times(entry["ratio_to_opencv"]) if entry else "-"


@table("cpu-machines", *TWELVE.values(), command="bankside bench cpu --threads 1")
def machines():
    lines = []
    for machine, name in TWELVE.items():
        where = report(name)["environment"]
        limits = next(entry for entry in report(name)["limits"] if entry["threads"] == 1)
        processor = where["processor"].split(" (family")[0].replace("(R)", "")
        opencv = where["opencv:filter2D"].split(",")[0]
        lines.append([machine, f"{processor}, {where['processors']} processors", number(limits["gflops"]),
                      number(limits["store_gigabytes_per_second"]),
                      f"{where['system'].split(',')[0]}, {where['compiler']}", f"{where['bankside']}, {opencv}"])
    return ["machine", "processor", "multiply-adds of one thread, GFLOP/s", "its stores, GB/s", "system", "versions"], lines


@table("cpu-dense-12", *TWELVE.values(),
       command="bankside bench cpu --sizes 2048 --filters 12 --types f32 --threads 1 --engines cpu,opencv:filter2D")
def dense_12():
    lines = []
    for size in SIZES:
        ours = twelve(ZEN5, size)
        fma = report(TWELVE[ZEN5])["limits"][0]["gflops"]
        lines.append([f"{size} x {size}", duration(ours["median_us"]) + ", " + path(ours),
                      number(ours["gflops"] / fma), *(speedup(twelve(machine, size)) for machine in TWELVE)])
    return ["filters", "Zen 5: `cpu`", "of the multiply-add rate", *(f"{m}: times `filter2D`" for m in TWELVE)], lines


@table("cpu-fused-12", *FUSED.values(),
       command="bankside bench cpu --sizes 2048 --filters 12 --types f32 --threads 1 --combine max --engines cpu,opencv:filter2D")
def fused_12():
    lines = []
    for size in SIZES:
        ours = twelve(ZEN5, size, "max", FUSED)
        lines.append([f"{size} x {size}", duration(ours["median_us"]) + ", " + path(ours),
                      *(speedup(twelve(machine, size, "max", FUSED)) for machine in FUSED)])
    return ["filters", "Zen 5: `cpu`", *(f"{m}: times `filter2D`" for m in FUSED)], lines


ONE = {(m, t): f"{FOLDERS[m]}/one-filter-{t}" for m in FOLDERS for t in ("u8", "f32")}


@table("cpu-one-filter", *ONE.values(), command=ONE_FILTER)
def one_filter():
    shown = [(ZEN5, "u8"), (ZEN5, "f32"), (XEON, "u8"), (XEON, "f32"), (ZEN4, "f32")]
    lines = []
    for size in (1, 2, 3, 5, 7, 9, 11, 13, 15, 21, 31, 63):
        ratios = [cell(ONE[m, t], "cpu", size=2048, filter_size=size, threads=1) for m, t in shown]
        lines.append([f"{size} x {size}", *map(speedup, ratios)])
    return ["filter", *(f"{m}, {t}" for m, t in shown)], lines


@table("cpu-one-filter-least", *ONE.values(), command=ONE_FILTER)
def one_filter_least():
    lines = []
    for (machine, kind), name in ONE.items():
        ratios = speedups(name, threads=1)
        least = min(rows(name, engine="cpu", threads=1), key=lambda r: r["ratio_to_opencv"])
        lines.append([f"{machine}, {kind}", str(len(ratios)), times(geometric_mean(ratios)), times(min(ratios)),
                      f"{least['filter_size']} x {least['filter_size']} over {least['size']} x {least['size']}"])
    return ["machine, image", "cells", "geometric mean", "least", "where"], lines


def grid_speedups(machine, threads, **wanted):
    return [r for name in GRIDS[machine, threads] for r in speedups(name, threads=threads, **wanted)]


@table("cpu-grid", *dict.fromkeys(name for names in GRIDS.values() for name in names), command=WHOLE_GRID)
def grid():
    small, large = tuple(k for k in SIZES if k <= 11), tuple(k for k in SIZES if k > 11)
    lines = []
    for machine, threads in GRIDS:
        parts = [grid_speedups(machine, threads, filter_count=counts, filter_size=sizes)
                 for counts in ((1,), (8, 12, 32)) for sizes in (small, large)]
        lines.append([f"{machine}, {threads} thread{'s' if threads > 1 else ''}", str(sum(map(len, parts))),
                      *(span(part) for part in parts)])
    return ["machine", "cells", "1 filter, to 11 x 11", "1 filter, larger", "8 to 32, to 11 x 11", "8 to 32, larger"], lines


@table("cpu-separable", "cpu/zen5/separable", "cpu/xeon/separable")
def separable():
    lines = []
    for size in (3, 5, 7, 9, 15, 31):
        line = [f"{size} x {size}"]
        for name in ("cpu/zen5/separable", "cpu/xeon/separable"):
            for count in (1, 12):
                line.append(span(separable_ratios(name, filter_size=size, filter_count=count)))
        lines.append(line)
    return ["filters", "Zen 5, 1 filter", "Zen 5, 12", "Xeon, 1 filter", "Xeon, 12"], lines


def separable_ratios(name, **wanted):
    """sepFilter2D's time over ours, a cell each where both answered."""
    ratios = []
    for ours in rows(name, engine="cpu", disposition="PASSED", threads=1, **wanted):
        other = cell(name, "opencv:sepFilter2D", **{k: ours[k] for k in
                                                    ("size", "filter_size", "filter_count", "type", "threads")})
        if other:
            ratios.append(other["median_us"] / ours["median_us"])
    return ratios


@table("cpu-vessel", *VESSEL.values())
def vessel():
    lines = []
    for machine, name in VESSEL.items():
        for ours in rows(name, engine="cpu", bank="vessel-matched"):
            other = row(name, engine="opencv:filter2D", bank="vessel-matched", threads=ours["threads"])
            lines.append([machine, str(ours["threads"]), duration(ours["median_us"]), duration(other["median_us"]),
                          times(ours["ratio_to_opencv"]), path(ours)])
    return ["machine", "threads", "`cpu`", "`filter2D`", "times faster", "picked"], lines


def onednn_cells(machine, **wanted):
    """oneDNN's time over ours a cell, nothing where it had no answer in time."""
    name = ONEDNN[machine]
    found = rows(name, engine="cpu", disposition="PASSED", **wanted)
    return [(ours, cell(name, "onednn:convolution", filter_size=ours["filter_size"],
                        filter_count=ours["filter_count"])) for ours in found]


@table("cpu-onednn", *ONEDNN.values())
def onednn():
    shown = [(ZEN5, 12), (ZEN5, 32), (XEON, 12), (XEON, 32), (ZEN4, 12)]
    lines = []
    for size in (3, 5, 7, 9, 11, 13, 15):
        cells = [onednn_cells(m, filter_size=size, filter_count=count)[0] for m, count in shown]
        lines.append([f"{size} x {size}", *(ratio(other, ours) for ours, other in cells)])
    return ["filters", *(f"{m}, {count}" for m, count in shown)], lines


def opencv5(machine, size, count):
    ours = cell(f"{FOLDERS[machine]}/all-cores", "cpu", filter_size=size, filter_count=count)
    other = cell(f"{FOLDERS[machine]}/opencv5", "opencv5:filter2D", filter_size=size, filter_count=count)
    return other["median_us"] / ours["median_us"]


@table("cpu-opencv5", "cpu/zen5/all-cores", "cpu/zen5/opencv5", "cpu/xeon/all-cores", "cpu/xeon/opencv5")
def all_cores():
    shown = [(ZEN5, 1), (ZEN5, 12), (XEON, 1), (XEON, 12)]
    lines = [[f"{size} x {size}", *(times(opencv5(m, size, count)) for m, count in shown)] for size in SIZES]
    return ["filters", "Zen 5, 2 threads, 1 filter", "12 filters", "Xeon, 16 threads, 1 filter", "12 filters"], lines


@table("cpu-threads", "cpu/zen5/two-cores")
def threads():
    lines = []
    for size in SIZES:
        one, two = (row("cpu/zen5/two-cores", engine="cpu", filter_size=size, threads=t) for t in (1, 2))
        lines.append([f"{size} x {size}", duration(one["median_us"]), duration(two["median_us"]),
                      times(one["median_us"] / two["median_us"]), path(one)])
    return ["filters", "one thread", "two threads", "times faster", "picked"], lines


for machine_, tag in ((ZEN5, "zen5"), (XEON, "xeon"), (ZEN4, "zen4")):
    figure(f"cpu-{tag}-12-range", TWELVE[machine_],
           lambda m=machine_: span(twelve(m, size)["ratio_to_opencv"] for size in SIZES))
for machine_, tag in ((ZEN5, "zen5"), (ZEN4, "zen4")):
    names_ = (ONE[machine_, "u8"], ONE[machine_, "f32"])
    figure(f"cpu-{tag}-1-least", names_, lambda n=names_: times(min(min(speedups(name)) for name in n)), ONE_FILTER)
    figure(f"cpu-{tag}-1-cells", names_, lambda n=names_: str(sum(len(speedups(name)) for name in n)), ONE_FILTER)
figure("cpu-zen5-separable-least", "cpu/zen5/separable", lambda: times(min(separable_ratios("cpu/zen5/separable"))))
figure("cpu-zen5-onednn-range", ONEDNN[ZEN5],
       lambda: span(other["median_us"] / ours["median_us"] for ours, other in onednn_cells(ZEN5) if other))


def vessel_row():
    return row(VESSEL[ZEN5], engine="cpu", bank="vessel-matched", threads=1)


figure("cpu-zen5-vessel", VESSEL[ZEN5], lambda: times(vessel_row()["ratio_to_opencv"]))
figure("cpu-zen5-vessel-time", VESSEL[ZEN5], lambda: duration(vessel_row()["median_us"]))


def beside_noise(report, engine, values):
    plain = row(report, engine=engine, values="uniform")["median_us"]
    return times(row(report, engine=engine, values=values)["median_us"] / plain)


for engine_ in ("direct", "karatsuba", "fft"):
    figure(f"cpu-denormals-xeon-before-{engine_}", "cpu/hostile-xeon-before",
           lambda e=engine_: beside_noise("cpu/hostile-xeon-before", f"cpu:{e}", "denormals"))
figure("cpu-denormals-fft-before", "cpu/hostile-before", lambda: beside_noise("cpu/hostile-before", "cpu:fft", "denormals"))
for name_, kind_ in (("small", "normal*1e-30"), ("large", "normal*1e30")):
    figure(f"cpu-{name_}-fft-before", "cpu/hostile-before",
           lambda k=kind_: beside_noise("cpu/hostile-before", "cpu:fft", k))
for report_ in ("small", "small-before"):
    figure(f"cpu-{report_}", f"cpu/{report_}",
           lambda r=report_: times(row(f"cpu/{r}", engine="cpu", problem="c1h20w20-f1k3-reflect101-u8:f32-none")["ratio_to_opencv"]))


def over_direct(report, engine, values):
    """Over direct sums of the same pixels, in the same rounds."""
    return times(row(report, engine=engine, values=values)["median_us"] / row(report, engine="cpu:direct", values=values)["median_us"])


for engine_ in ("karatsuba", "fft"):
    figure(f"cpu-mask-before-{engine_}", "cpu/hostile-twice",
           lambda e=engine_: over_direct("cpu/hostile-twice", f"cpu:{e}", "nan-mask"))


def hostile_values():
    return list(dict.fromkeys(r["values"] for r in rows("cpu/hostile")))


def hostile_ratio(engine, values):
    time = lambda e: row("cpu/hostile", engine=e, values=values)["median_us"]
    return time(engine) / time("cpu:direct")


# A scale saves what is finite; NaN and infinity are mended around, which counts beside direct sums.
figure("cpu-hostile-most-direct", "cpu/hostile",
       lambda: times(max(hostile_ratio(e, v) for e in ("cpu:karatsuba", "cpu:fft") for v in hostile_values())))
figure("cpu-hostile-most-noise", "cpu/hostile",
       lambda: times(max(hostile_ratio(e, v) / hostile_ratio(e, "uniform") for e in ("cpu:karatsuba", "cpu:fft")
                         for v in hostile_values() if "nan" not in v and "infinity" not in v)))


@table("cpu-hostile", "cpu/hostile")
def hostile():
    engines = ("cpu:karatsuba", "cpu:fft", "opencv:filter2D")
    lines = []
    for kind in dict.fromkeys(r["values"] for r in rows("cpu/hostile")):
        direct = row("cpu/hostile", engine="cpu:direct", values=kind)["median_us"]
        lines.append([kind, duration(direct), *(over_direct("cpu/hostile", e, kind) for e in engines)])
    return ["pixels", "`cpu:direct`", *(f"`{e}`" for e in engines)], lines
