"""Reports of schema version 1 in the names of version 2."""
RENAMED = {
    "timesOurs": "times_ours", "smemBankBytes": "smem_bank_bytes", "environmentOfLater": "environment_of_later",
    "environmentOfK3": "environment_of_k3", "l2Bytes": "l2_bytes", "cudaRuntime": "cuda_runtime",
    "driverSupportsCuda": "driver_supports_cuda", "N": "size", "K": "filter_size", "C": "channels", "F": "filter_count",
    "srcType": "type", "dstType": "dst_type", "coldSets": "cold_sets", "fractionOfFloor": "floor_fraction",
    "geometricMean": "geometric_mean", "unitElements": "unit_elements", "unitBytes": "unit_bytes",
    "measuredIn": "measured_in", "speedToMatched": "speed_to_matched", "modelsSpeedToMatched": "models_speed_to_matched",
    "largestRatio": "largest_ratio", "largestError2e-11": "largest_error_2e-11", "GBps": "gigabytes_per_second",
    "graphLaunch_us": "graph_launch_us",
}
DROPPED = ("bytesAre", "bank_kind")
KINDS = {"bank-width": "bank-width", "accuracy": "accuracy", "dram bytes, counted by ncu": "dram-bytes"}  # else device
BOUNDS = {"interval": ("low_us", "high_us"), "hot_interval": ("hot_low_us", "hot_high_us")}
LIMITS = {"fmaTflops": ("gflops", 1000), "tensorTflops": ("tensor_gflops", 1000), "copyGBps": ("copy_gigabytes_per_second", 1)}


def renamed(value):
    if isinstance(value, list):
        return [renamed(item) for item in value]
    if not isinstance(value, dict):
        return value
    fields = {}
    for name, item in value.items():
        if name in BOUNDS:
            fields.update(zip(BOUNDS[name], item or (None, None)))
        elif name not in DROPPED:
            fields[RENAMED.get(name, name)] = renamed(item)
    return fields


def limits(old):
    """A device's one object as a list of one, in the units of a processor's."""
    if isinstance(old, list):
        return old
    rates = {new: old[name] * factor for name, (new, factor) in LIMITS.items() if name in old}
    others = {name: item for name, item in old.items() if name not in LIMITS}
    return [{"threads": 0, "target": None, "store_gigabytes_per_second": None, **rates, **others}]


def row(old):
    new = renamed(old)
    if "disposition" in new:
        new["disposition"] = new["disposition"].upper()
    new.update({name: None for name in ("reason", "variant", "source") if new.get(name) == ""})
    if "bank_kind" in old and not new.get("problem"):
        new["problem"] = (f"c1h{new['size']}w{new['size']}-f{new['filter_count']}k{new['filter_size']}-reflect101-"
                          f"{new['type']}:f32-{new['combine']}")
    return new


def upgraded(report):
    """A report whose rows are objects, in version 2."""
    if report.get("schema_version") == 2:
        return report
    fields = {"bankside": report.get("bankside") or KINDS.get(report["what"], "device"), "schema_version": 2}
    for name, item in report.items():
        if name == "limits":
            fields[name] = renamed(limits(item))
        elif name == "rows":
            fields[name] = [row(entry) for entry in item]
        elif name not in ("bankside", "schemaVersion", "schema_version"):
            fields[RENAMED.get(name, name)] = renamed(item)
    return fields
