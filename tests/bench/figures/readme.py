"""The README's one table."""
from figures import batch, cpu, files, folder, fuzz, h100, multichannel, mutation, properties, python, single_channel, untrusted, vessels, window  # noqa: F401  (most define figures)
from figures.numbers import duration, times
from figures.registry import table

README_COMMANDS = f"""bankside bench cpu --sizes 2048 --filter-sizes 7,15 --filters 12 --types f32 --threads 1 --engines cpu,opencv:filter2D
bankside bench cpu --bank-kind vessel --sizes 1411 --types u8 --combine max --threads 1 --engines cpu,opencv:filter2D
{single_channel.PAPER_GRID}
bankside bench device c1h4096w4096-f12k15-reflect101-u8:f32-none --engines cuda:tensor,cuda:single-channel
bankside bench paper --figure 8 --engines cuda:multichannel-fp16x3,cudnn:fma"""


@table("readme", cpu.TWELVE[cpu.ZEN5], cpu.VESSEL[cpu.ZEN5], single_channel.FIGURE7, single_channel.CHART,
       multichannel.FIGURE8, command=README_COMMANDS)
def readme():
    epyc, h200 = "AMD EPYC, Zen 5", "NVIDIA H200"
    dense = [cpu.twelve(cpu.ZEN5, size) for size in (7, 15)]
    vessel = cpu.vessel_row()
    hot, cold = (times(cpu.geometric_mean(single_channel.paper_cells(which)))
                 for which in (single_channel.HOT, single_channel.COLD))
    tensor, fma = (single_channel.chart(15, 12, engine=e) for e in (single_channel.HALVES, single_channel.SINGLE))
    many = multichannel.mean(multichannel.FIGURE8, (multichannel.FP16X3, "cudnn:fma"))
    return ["what", "machine", "engine", "time", "beside", "times faster"], [
        ["twelve dense 7 x 7 filters, 2048 x 2048 f32, one thread", epyc, "`cpu`", duration(dense[0]["median_us"]),
         "`opencv:filter2D`", times(dense[0]["ratio_to_opencv"])],
        ["twelve dense 15 x 15 filters, the same", epyc, "`cpu`", duration(dense[1]["median_us"]),
         "`opencv:filter2D`", times(dense[1]["ratio_to_opencv"])],
        ["`vessel-matched`, maximum, 1411 x 1411 u8, one thread", epyc, "`cpu`", duration(vessel["median_us"]),
         "`opencv:filter2D`", times(vessel["ratio_to_opencv"])],
        ["one channel, 1 x 1 to 5 x 5, 1 to 32 filters, f32: geometric mean of 27 cells, caches warm (cold)", h200,
         "`cuda:single-channel`", "", "cuDNN's best fp32",
         f"{hot} ({cold})"],
        ["twelve dense 15 x 15 filters, 4096 x 4096 u8, caches warm", h200, "`cuda:tensor`", duration(tensor),
         "`cuda:single-channel`", times(fma / tensor)],
        ["several channels, 3 x 3 to 7 x 7: geometric mean of 27 cells, caches warm", h200,
         "`cuda:multichannel-fp16x3`", "", "cuDNN's best fp32", times(many)],
    ]
