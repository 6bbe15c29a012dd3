"""What the H200's figures share: medians, ratios over cells, the machine."""
from figures.numbers import number, times
from figures.registry import figure, table
from figures.report import geometric_mean, report, rows

HOT, COLD = "hot_median_us", "median_us"


def timed(name, engine, **wanted):
    """Rows of an engine that passed and have a time."""
    return [r for r in rows(name, engine=engine, disposition="PASSED", **wanted) if r[COLD]]


def median(name, engine, which=HOT, **wanted):
    """One median in us, nothing if there is none."""
    found = timed(name, engine, **wanted)
    return found[0][which] if found else None


def shown(value):
    return number(value) if value else "-"


def ratios(name, ours, other, which=HOT, **wanted):
    """The other's time over ours in every cell (size, filters, channels, types) that both have; a peer's border is
    the one that it has."""
    def key(r):
        return (r["size"], r["filter_size"], r["channels"], r["filter_count"], r["type"], r["dst_type"], r["combine"],
                r.get("images", 1))

    mine = {key(r): r[which] for r in reversed(timed(name, ours, **wanted))}
    return {key(r): r[which] / mine[key(r)] for r in reversed(timed(name, other, **wanted)) if key(r) in mine}


def mean_and_least(values):
    """A geometric mean and the smallest: 2.21, 1.20 at least."""
    values = list(values)
    return f"{times(geometric_mean(values))}, {times(min(values))}" if values else "-"


@table("h200-machine", "h200/figure7", "h200/figure8", "h200/tensor-chart", command="bankside bench limits")
def machine():
    lines = []
    for name in ("h200/figure7", "h200/figure8", "h200/tensor-chart"):
        where, limits = report(name)["environment"], report(name)["limits"][0]
        lines.append([name.split("/")[1], where["bankside"], number(limits["copy_gigabytes_per_second"]), number(limits["gflops"] / 1e3),
                      number(limits["tensor_gflops"] / 1e3), number(limits["launch_us"])])
    return ["report", "revision", "copies, GB/s", "FP32 multiply-adds, TFLOP/s", "FP16 tensor cores, TFLOP/s",
            "a launch, us"], lines


def version(name):
    """cuDNN's version of a report, 91400 as 9.14.0."""
    digits = report(name)["environment"]["cudnn:fma"].split(" ")[1].rstrip(",")
    return f"{int(digits) // 10000}.{int(digits) // 100 % 100}.{int(digits) % 100}"


figure("h200-cudnn", "h200/figure7", lambda: version("h200/figure7"))
figure("h200-cuda", "h200/figure7", lambda: report("h200/figure7")["environment"]["cuda_runtime"])


def hostile_lines(names):
    """What `cuda` takes of each of a bank's values, beside direct sums of the same pixels, and beside noise."""
    lines = []
    for name in names:
        took = {(r["engine"], r["values"]): r["median_us"] for r in rows(name)}
        problem = rows(name)[0]["problem"]
        for values in dict.fromkeys(r["values"] for r in rows(name)):
            direct = took["cuda:single-channel", values]
            us = took["cuda", values]
            lines.append([f"`{problem}`", values, number(us), times(us / direct), times(us / took["cuda", "uniform"])])
    return ["problem", "pixels", "`cuda`, us", "over direct sums", "over noise"], lines


@table("h200-hostile", "h200/hostile-k9", "h200/hostile-k15")
def hostile():
    return hostile_lines(("h200/hostile-k9", "h200/hostile-k15"))


@table("h100-hostile", "h100/hostile-k9", "h100/hostile-k15", "h100/hostile-small")
def hostile_h100():
    return hostile_lines(("h100/hostile-k9", "h100/hostile-k15", "h100/hostile-small"))


@table("h200-hostile-fft", "h200/hostile-fft")
def hostile_fft():
    took = {(r["engine"], r["values"]): r["median_us"] for r in rows("h200/hostile-fft")}
    kinds = dict.fromkeys(values for _, values in took)
    return ["pixels", "`cuda:fft`, us", "over noise"], [
        [values, number(took["cuda:fft", values]), times(took["cuda:fft", values] / took["cuda:fft", "uniform"])]
        for values in kinds]
