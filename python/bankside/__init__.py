"""Filter banks over images: edges, smoothing, vessels, or taps of your own.

>>> import bankside
>>> from array import array
>>> image = memoryview(array("B", range(64))).cast("B", (8, 8))
>>> edges = bankside.filter(image, "sobel", combine="magnitude")
>>> memoryview(edges)[4, 4]  # 8 * hypot(1, 8), a ramp of 1 a column and 8 a row
64.49806213378906

Images are whatever has the buffer protocol or DLPack in host memory (NumPy, PyTorch, JAX, memoryview), of uint8,
uint16, float16 or float32 with any strides; those of float64 are copied, each value rounded once to float32, in which
all sums are. Results are arrays of the image's own library. The GIL is released while pixels are computed, and one plan
may run on several threads.

Images on a CUDA device (PyTorch's, CuPy's, whatever has DLPack or __cuda_array_interface__) are filtered there, where the
module was built with CUDA: work is started on the library's current stream, or on `stream`, and not waited for.
"""

from __future__ import annotations

import os
import sys

_flags = sys.getdlopenflags()
sys.setdlopenflags(os.RTLD_LAZY)  # half of what loading takes is looking up functions that may never be called
try:
    from . import _core
finally:
    sys.setdlopenflags(_flags)
from ._recipe import Recipe, recipes
from ._recipe import whole as _whole

TYPE_CHECKING = False  # as typing's, which takes longer to import than the rest of the module
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ._compare import Compared

__all__ = ["Bank", "CatalogueEntry", "Plan", "Recipe", "banks", "compare", "explain", "filter", "recipes"]
__version__: str = _core.version()


class CatalogueEntry(tuple[str, str, str, str]):
    """A bank that can be made by name: its name, title, the source of its formula, and its defaults."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """What a specification begins with."""
        return self[0]

    @property
    def title(self) -> str:
        """One line for a person."""
        return self[1]

    @property
    def citation(self) -> str:
        """Where the formula comes from."""
        return self[2]

    @property
    def specification(self) -> str:
        """The name with every parameter's default."""
        return self[3]


def banks() -> list[CatalogueEntry]:
    """The catalogue.

    >>> [bank.name for bank in bankside.banks()][:3]
    ['roberts', 'prewitt', 'sobel']
    >>> next(bank.specification for bank in bankside.banks() if bank.name == "gaussian")
    'gaussian:sigma=1,size=auto'
    """
    return [CatalogueEntry(entry) for entry in _core.catalogue()]


class Bank:
    """Filters, immutable: by name, from a file, or from an array of taps.

    Args:
        source: A specification of the catalogue (``"vessel-matched:sigma=1.5,length=7"``); a file, which contains
            '/' or ends in .json, .npy, .csv or .txt; or taps [kh,kw], [F,kh,kw] or [F,C,kh,kw] as an array or nested
            lists, rounded once to float32.
        mode: Of an array: "correlation" slides the taps over the image as they are (OpenCV's filter2D, torch's
            conv2d), "convolution" turns them by 180 degrees first (SciPy's convolve, MATLAB's conv2).
        anchor: Of an array: the tap (x, y) that lies on the result's pixel; by default (kw // 2, kh // 2).

    Raises:
        ValueError: One sentence that says what is wrong with the specification, file or taps.
        OSError: The file cannot be read.

    >>> bankside.Bank("sobel").labels
    ('dx', 'dy')
    >>> bankside.Bank([[1, 2, 1]]).taps
    [[[[1.0, 2.0, 1.0]]]]
    >>> bankside.Bank("sobell")
    Traceback (most recent call last):
    ...
    ValueError: there is no filter bank "sobell"; the nearest names are sobel, roberts and scharr
    """

    __slots__ = ("_bank",)

    def __init__(
        self, source: Any, *, mode: str = "correlation", anchor: tuple[int, int] | None = None
    ) -> None:
        if isinstance(source, (str, os.PathLike)):
            if mode != "correlation" or anchor is not None:
                raise ValueError("mode and anchor belong to taps of an array; a bank that has a name has its own")
            # A path is a file, whatever it looks like.
            self._bank = _core.Bank(os.path.abspath(source) if isinstance(source, os.PathLike) else source, True)
        else:
            _require_word("mode", mode)
            if anchor is not None:
                x, y = anchor
                anchor = _whole("anchor", x), _whole("anchor", y)
            self._bank = _core.Bank(_taps(source), mode, anchor)

    @property
    def name(self) -> str:
        """As a specification or a file; "array" for taps of one."""
        return self._bank.name

    @property
    def title(self) -> str:
        """One line for a person."""
        return self._bank.title

    @property
    def citation(self) -> str:
        """Where the formula comes from; empty for a bank made by hand."""
        return self._bank.citation

    @property
    def channels(self) -> int:
        """1: every channel of an image is filtered by itself. Else the filters sum over so many channels."""
        return self._bank.channels

    @property
    def mode(self) -> str:
        """ "correlation" or "convolution"."""
        return self._bank.mode

    @property
    def labels(self) -> tuple[str, ...]:
        """One a filter."""
        return tuple(self._bank.labels())

    @property
    def taps(self) -> list[list[list[list[float]]]]:
        """As lists [F][C][kh][kw]; filters may differ in size."""
        return [self._bank.taps(i) for i in range(len(self))]

    @property
    def anchors(self) -> list[tuple[int, int]]:
        """(x, y), one a filter."""
        return [self._bank.anchor(i) for i in range(len(self))]

    def __len__(self) -> int:
        return self._bank.filters

    def __repr__(self) -> str:
        return f"<bankside.Bank {self.name!r}, {len(self)} filters>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _bank_of, self._bank.state()


def _bank_of(text: str, name: bytes) -> Bank:
    """A bank with all its filters, wherever it is unpickled."""
    bank = Bank.__new__(Bank)
    bank._bank = _core.Bank(text, name)
    return bank


class Plan(_core.Plan):
    """A bank prepared for images of one shape and type, to be run as often as one likes.

    Args:
        bank: A Bank, or what makes one.
        shape: Of the images: (H, W), or three sizes with the channels along `channel_axis`.
        dtype: Of the images, a word or NumPy's: "uint8", "uint16", "float16" or "float32"; "float64" is rounded to
            "float32".
        border: What lies beyond the edge: "reflect101" (OpenCV's default, SciPy's "mirror"), "constant",
            "replicate" (SciPy's "nearest"), "reflect" or "wrap".
        border_value: For "constant".
        combine: What becomes of the responses at a pixel: "none", "max", "absmax", "argmax", "mean", "sum" or
            "magnitude".
        precision: "fp32" lets the planner choose transforms and factors too, "exact" takes one float32 multiply-add
            a tap in one order, "fp16" changes nothing on a CPU.
        engine: "auto", or an engine's name, which computes as it does whatever the precision.
        result: The results' type, by default "float32"; integers round to nearest, ties to even, and saturate.
        channel_axis: Of images with three axes: 0 for [C,H,W], -1 for [H,W,C]. Where it is not given they are [C,H,W],
            and those that look like [H,W,C] (a last axis of at most 4, and both others longer) are refused.
        threads: Of one run; 0 takes all that the process may use. The results' bytes do not depend on it.
        device: Where images lie: "cpu", or "cuda:0", "cuda:1" and so on, a GPU that the process sees. All memory of a
            plan for a device is there from here on; its runs must follow each other on the device.
        any_strides: Of a device: reserves memory for images and results that are not dense.

    Shapes:
        Results are [F,H,W]. A bank of one channel filters every channel of an image with C > 1: [C,F,H,W]. A combine
        takes the axis F away.

    Raises:
        ValueError: One sentence about the argument that is wrong.
        NotImplementedError: No engine takes this.

    >>> plan = bankside.Plan("sobel", (4, 6), "float32", combine="argmax")
    >>> plan.shape, plan.labels
    ((4, 6), ('argmax',))
    """

    __slots__ = ("_given", "bank")

    bank: Bank

    def __init__(
        self,
        bank: Any,
        shape: Sequence[int],
        dtype: Any,
        *,
        border: str = "reflect101",
        border_value: float = 0.0,
        combine: str = "none",
        precision: str = "fp32",
        engine: str = "auto",
        result: str = "float32",
        channel_axis: int | None = None,
        threads: int = 0,
        device: str = "cpu",
        any_strides: bool = False,
    ) -> None:
        self.bank = bank if isinstance(bank, Bank) else Bank(bank)
        dtype = getattr(dtype, "name", dtype)
        words = {
            "dtype": dtype, "border": border, "combine": combine, "precision": precision, "engine": engine,
            "result": result, "device": device,
        }
        for name, word in words.items():
            _require_word(name, word)
        axis = None if channel_axis is None else _whole("channel_axis", channel_axis)
        sizes = [_whole("a size", size, 63) for size in shape]
        self._given = (
            self.bank, sizes, dtype, border, border_value, combine, precision, engine, result, axis, threads, device,
            any_strides,
        )
        super().__init__(
            self.bank._bank, sizes,
            "float32" if dtype == "float64" else dtype, border, float(border_value),
            combine, precision, engine, result, axis, _whole("threads", threads), device, bool(any_strides),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _plan_of, self._given


def _plan_of(bank: Bank, shape: Sequence[int], dtype: Any, *options: Any) -> Plan:
    """Prepared anew, by the engine that suits the machine where it is unpickled."""
    return _prepared(shape, dtype, bank, *options)[0]


def _prepared(
    shape: Sequence[int], dtype: Any, bank: Any, border: str, border_value: float, combine: str, precision: str,
    engine: str, result: str, channel_axis: int | None, threads: int, device: str = "cpu", any_strides: bool = False,
) -> tuple[Plan, bool]:
    """A plan, and whether it will do for the next call with the same bank: a file or an array may have changed."""
    plan = Plan(
        bank, shape, dtype, border=border, border_value=border_value, combine=combine, precision=precision,
        engine=engine, result=result, channel_axis=channel_axis, threads=threads, device=device,
        any_strides=any_strides,
    )
    by_name = isinstance(bank, str) and bank.partition(":")[0] in {entry[0] for entry in _core.catalogue()}
    return plan, by_name or isinstance(bank, Bank)


@_core.KeptPlans(_prepared).before
def filter(
    image: Any,
    bank: Any,
    *,
    border: str = "reflect101",
    border_value: float = 0.0,
    combine: str = "none",
    precision: str = "fp32",
    engine: str = "auto",
    result: str = "float32",
    channel_axis: int | None = None,
    threads: int = 0,
    out: Any = None,
    device: str | None = None,
    stream: Any = None,
) -> Any:
    """Filters an image with a bank.

    As ``Plan(bank, image.shape, image.dtype, ...)(image, out)``; the last plans are kept, so that calls with the same
    arguments prepare nothing (of a bank that is a Bank or a name of the catalogue). `device` says where the image must
    lie; by default it lies where it likes. On a device each stream has plans of its own.

    >>> ramp = memoryview(bytes(range(12))).cast("B", (3, 4))
    >>> memoryview(bankside.filter(ramp, "box:size=3", combine="sum", border="replicate")).tolist()[1]
    [4.333333492279053, 5.0, 6.0, 6.666666507720947]
    """
    # Images of the host do not come here; whoever needs to be sure that a plan is kept makes a Plan.
    from . import _device

    options = border, border_value, combine, precision, engine, result, channel_axis, threads
    return _device.filter(image, out, stream, device, _prepared, bank, *options)


def explain(shape: Sequence[int], dtype: Any, bank: Any, **options: Any) -> str:
    """Which engine a plan of these arguments takes, and why; the first call measures the machine for a millisecond.

    >>> bankside.explain((64, 64), "uint8", "sobel", precision="exact").split(":")[:2]
    ['cpu', 'direct']
    """
    plan = Plan(bank, shape, dtype, **options)
    return f"{plan.engine}: {plan.choice}"


def compare(
    image: Any,
    bank: Any,
    *,
    border: str = "reflect101",
    border_value: float = 0.0,
    engines: Sequence[str] | None = None,
    threads: int = 0,
    seconds: float = 0.2,
) -> list[Compared]:
    """Engines over an image [H,W], each judged against sums in float64 and then timed, beside cv2 where it is installed.

    NumPy is needed. The bound is that of float32 sums: as many roundings as the largest filter has taps, and 32 for a
    transform's, of the largest sum of |tap x pixel|. `seconds` is how long each is timed, in turns; who is wrong is
    timed too, and is not `right`.

    >>> import numpy
    >>> image = numpy.arange(1024, dtype="float32").reshape(32, 32)
    >>> rows = bankside.compare(image, "sobel", engines=["cpu:direct", "cpu:fft"], seconds=0)
    >>> [(row.engine, row.right) for row in rows]
    [('cpu:direct', True), ('cpu:fft', True)]
    """
    from ._compare import compare

    return compare(image, bank, border, border_value, engines, threads, seconds)


def _require_word(name: str, value: Any) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{name} is a {type(value).__name__}, expected a word")
    if not value.isprintable():
        raise ValueError(f"{name} is {value!r}, which is no word")


def _taps(source: Any) -> Any:
    """An array of float32 in row-major order."""
    from array import array  # a module of its own, which few programs need

    flat: list[float] = []
    shape: list[int] = []

    def walk(value: Any, depth: int) -> None:
        if isinstance(value, (list, tuple)):
            if depth == 4:  # or one that holds itself
                raise ValueError("taps have more than 4 axes, expected [kh,kw], [F,kh,kw] or [F,C,kh,kw]")
            if depth == len(shape):
                shape.append(len(value))
            if len(value) != shape[depth]:
                raise ValueError("the lists of taps differ in length")
            for inner in value:
                walk(inner, depth + 1)
        elif depth != len(shape):
            raise ValueError("the lists of taps differ in depth")
        else:
            flat.append(float(value))

    if not isinstance(source, (list, tuple)):
        lists = getattr(source, "tolist", None)
        if lists is None:
            raise TypeError(f"a bank is made from a name, a file or taps, not from a {type(source).__name__}")
        source = lists()
    walk(source, 0)
    if not flat:
        raise ValueError("a bank needs at least one tap")
    return memoryview(array("f", flat)).cast("B").cast("f", shape)
