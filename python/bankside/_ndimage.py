"""What bankside.ndimage computes: sums as scipy.ndimage's, of arrays whose sums float32 can hold."""

from __future__ import annotations

import functools
from typing import Any

import numpy

import bankside

from ._elsewhere import NotHere, near_engine

BORDERS = {
    "reflect": "reflect",
    "grid-mirror": "reflect",
    "constant": "constant",
    "grid-constant": "constant",
    "nearest": "replicate",
    "mirror": "reflect101",
    "wrap": "wrap",
    "grid-wrap": "wrap",
}
_MOST_TAPS = 127
_MOST_PLANES = 4096
_EXACT = 2.0**24  # integers up to it are float32s


def each(value: Any, axes: int) -> list[Any]:
    """One value an axis."""
    if isinstance(value, numpy.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (list, tuple, numpy.ndarray)):
        if len(value) != axes:
            raise NotHere
        return list(value)
    return [value] * axes


def axes_of(array: Any, axes: Any) -> list[int]:
    """The axes that are meant, all for None."""
    if axes is None:
        return list(range(array.ndim))
    found = [axes] if isinstance(axes, int) else list(axes)
    if any(not isinstance(axis, int) or not -array.ndim <= axis < array.ndim for axis in found):
        raise NotHere
    found = [axis % array.ndim for axis in found]
    if len(set(found)) != len(found):
        raise NotHere
    return found


def axis_of(array: Any, axis: Any) -> int:
    if not isinstance(axis, int):
        raise NotHere
    return axes_of(array, axis)[0]


def source(input: Any, output: Any) -> Any:
    """The array that is filtered, which shares no memory with an `output` that is an array."""
    array = numpy.asarray(input)
    return array.copy() if isinstance(output, numpy.ndarray) and numpy.may_share_memory(output, array) else array


def destination(array: Any, output: Any) -> Any:
    """Where results go: `output`, or new memory of its type, or of the array's."""
    if isinstance(output, numpy.ndarray):
        fits = output.shape == array.shape and output.flags.writeable and output.dtype.isnative
        if not fits or output.dtype.kind not in "iuf":
            raise NotHere
        return output
    wanted = array.dtype if output is None else numpy.dtype(output)
    if wanted.kind not in "iuf" or not wanted.isnative or wanted.itemsize > 8:
        raise NotHere
    return numpy.empty(array.shape, wanted)


def filtered(
    array: Any, weights: Any, output: Any, mode: Any, cval: Any, origins: Any, turned: bool = False, divisor: int = 1
) -> Any:
    """The sums of an array of one or two axes, or of more where the weights have but one that is longer than 1.

    Results of float32 are rounded sums. Others are computed where every sum is an integer that float32 holds, and are
    then SciPy's to the bit: cut off and wrapped around.
    """
    weights = numpy.asarray(weights)
    if weights.dtype.kind not in "biuf" or weights.size == 0 or weights.ndim != array.ndim or array.size == 0:
        raise NotHere
    if not isinstance(mode, str) or mode not in BORDERS or isinstance(cval, complex) or not numpy.isfinite(cval):
        raise NotHere
    weights = weights.astype(numpy.float64)
    if not (abs(weights) <= numpy.finfo(numpy.float32).max).all():
        raise NotHere
    anchor = []
    for size, shift in zip(weights.shape, each(origins, array.ndim)):
        if not isinstance(shift, (int, numpy.integer)) or size > _MOST_TAPS:
            raise NotHere
        # A convolution's weights are turned, and its middle with them, which is another tap where sizes are even.
        at = size // 2 + (-shift - (size % 2 == 0) if turned else shift)
        if not 0 <= at < size:
            raise NotHere
        anchor.append(int(at))
    if turned:
        weights = weights[tuple([slice(None, None, -1)] * weights.ndim)]
    border = BORDERS[mode]
    value = float(cval) if border == "constant" else 0.0
    result = destination(array, output)
    rounded = result.dtype == numpy.float32 and divisor == 1
    image = _readable(array) if rounded else None
    if image is None:
        image = _exact(array, weights, value)
        rounded = False
    sums = result if result.dtype == numpy.float32 and rounded else numpy.empty(array.shape, numpy.float32)
    _run(image, weights, anchor, border, value, "fp32" if rounded else "exact", sums)
    if sums is result:
        return result
    if divisor != 1:
        sums = sums / numpy.float64(divisor)
    whole = sums.astype(numpy.int64) if result.dtype.kind in "iu" else sums
    result[...] = whole.astype(result.dtype)
    return result


def along(
    array: Any, weights: Any, axis: int, output: Any, mode: Any, cval: Any, origin: Any, turned: bool = False,
    divisor: int = 1,
) -> Any:
    """The sums along one axis."""
    weights = numpy.asarray(weights)
    if weights.ndim != 1:
        raise NotHere
    shape = [weights.size if i == axis else 1 for i in range(array.ndim)]
    origins = [origin if i == axis else 0 for i in range(array.ndim)]
    return filtered(array, weights.reshape(shape), output, mode, cval, origins, turned, divisor)


def _readable(array: Any) -> Any:
    """The image whose float32 sums are wanted as they round; None where its pixels might be rounded too."""
    if not array.dtype.isnative:
        return None
    if array.dtype.name in ("float32", "uint8", "uint16"):
        return array
    return array.astype(numpy.float32) if array.dtype.name in ("int8", "int16") else None


def _exact(array: Any, weights: Any, value: float) -> Any:
    """The image as float32, where every sum is exact whatever its order."""
    if array.dtype.kind not in "biuf" or array.dtype.name == "float16" or array.dtype.itemsize > 8:
        raise NotHere
    largest = max(float(abs(weights).sum()), 1.0)
    if numpy.any(weights != numpy.rint(weights)) or value != round(value) or largest * abs(value) > _EXACT:
        raise NotHere
    reach = numpy.array([array.min(), array.max()], numpy.float64)
    if not numpy.isfinite(reach).all() or largest * float(abs(reach).max()) > _EXACT:
        raise NotHere
    if array.dtype.kind == "f" and numpy.any(array != numpy.rint(array)):
        raise NotHere
    return array.astype(numpy.float32)


def _run(image: Any, weights: Any, anchor: list[int], border: str, value: float, precision: str, out: Any) -> None:
    if image.ndim > 2:
        image, weights, anchor, out = _planes(image, weights, anchor, out)
    elif image.ndim == 1:
        image, weights, anchor, out = image[None], weights[None], [0, *anchor], out[None]
    bank = _bank(weights.tobytes(), weights.shape, anchor[1], anchor[0])
    engine = "auto" if precision == "exact" else near_engine(bank, image.shape, image.dtype.name, 0)
    bankside.filter(
        image, bank, border=border, border_value=value, combine="sum", precision=precision, engine=engine,
        channel_axis=0, out=out,
    )


def _rounded(weights: Any) -> Any:
    """As float32, each tap with what the larger ones lost: their sum, and so a flat image's brightness, stays."""
    taps = weights.astype(numpy.float32)
    if (taps == weights).all():
        return taps
    flat, lost = taps.reshape(-1), 0.0
    for at in numpy.argsort(-abs(weights), axis=None, kind="stable"):
        if flat[at] != 0:
            flat[at] = weights.flat[at] + lost
            lost += float(weights.flat[at]) - float(flat[at])
    return taps


def _planes(image: Any, weights: Any, anchor: list[int], out: Any) -> tuple[Any, Any, list[int], Any]:
    """Of more axes than two: planes [n, axis, after] that are filtered by themselves."""
    long = [axis for axis, size in enumerate(weights.shape) if size > 1] or [image.ndim - 1]
    if len(long) > 1 or not out.flags.c_contiguous:
        raise NotHere
    axis = long[0]
    size = image.shape[axis]
    before = int(numpy.prod(image.shape[:axis]))
    if axis == image.ndim - 1:
        return image.reshape(-1, size), weights.reshape(1, -1), [0, anchor[axis]], out.reshape(-1, size)
    if before > _MOST_PLANES:
        raise NotHere
    shape = (before, size, -1) if before > 1 else (size, -1)
    return image.reshape(shape), weights.reshape(-1, 1), [anchor[axis], 0], out.reshape(shape)


@functools.lru_cache(maxsize=64)
def _bank(weights: bytes, shape: tuple[int, int], x: int, y: int) -> bankside.Bank:
    return bankside.Bank(_rounded(numpy.frombuffer(weights, numpy.float64).reshape(shape)), anchor=(x, y))


@functools.lru_cache(maxsize=64)
def gaussian(sigma: float, order: int, reach: int) -> Any:
    """Weights of a Gaussian's derivative, as they slide: a Hermite polynomial times the Gaussian, whose sum is 1."""
    at = numpy.arange(-reach, reach + 1, dtype=numpy.float64)
    smooth = numpy.exp(-0.5 * (at / sigma) ** 2)
    smooth /= smooth.sum()
    if order == 0:
        return smooth
    # The derivative of a correlation's weights has the sign of the image's: (-1)^n twice.
    hermite = numpy.polynomial.hermite_e.hermeval(at / sigma, [0] * order + [1])
    return smooth * hermite / sigma**order
