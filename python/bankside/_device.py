"""Images on a CUDA device: whose library they are of, and on which stream its work goes.

Pixels stay where they are. An array comes by DLPack, whose `stream` argument lets its library put our stream behind its
own work, or by `__cuda_array_interface__` (version 3), whose stream ours is put behind here.
"""

from __future__ import annotations

import contextlib
import re
import sys
from operator import index
from typing import Any

from . import Bank, _core

_DEVICE = re.compile("cuda:[0-9]+")
LEGACY = 1  # DLPack's number for the stream whose handle is 0


def run(plan: _core.Plan, image: Any, out: Any, stream: Any) -> Any:
    """Starts a plan for a device on the stream, by default the current one of the image's library."""
    handle = _handle(stream, image)
    picture = _view(image, handle, False, "the image", plan.device)
    return _start(plan, image, picture, out, _views(out, handle, plan.device), handle)


def filter(image: Any, out: Any, stream: Any, device: str | None, prepare: Any, *options: Any) -> Any:
    """`bankside.filter` on a device; `prepare(shape, dtype, *options, device, any_strides)` gives a plan."""
    if device is not None and not isinstance(device, str):
        raise TypeError(f"device is a text (cpu, cuda:0 and so on), not {type(device).__name__}")
    if device not in (None, "cpu") and not _DEVICE.fullmatch(device):
        raise ValueError(f'there is no device "{device}"; there are cpu, cuda:0, cuda:1 and so on')
    handle = _handle(stream, image)
    if device is None and stream is not None and not _says_where(image):
        raise ValueError("a stream is given, which goes with an image on a device; this one lies in host memory")
    where = device or _place(image)
    picture = _view(image, handle, False, "the image", where)
    views = _views(out, handle, where)
    any_strides = not all(view.dense for view in (picture, *views))
    plan = _plan(handle, prepare, picture.shape, picture.type, *options, where, any_strides)
    return _start(plan, image, picture, out, views, handle)


def _device_of(array: Any, what: str) -> tuple[bool, int] | None:
    """Whether it lies on a CUDA device, and the device's number, as DLPack says; None where it does not."""
    if not hasattr(array, "__dlpack_device__"):
        return None
    try:
        kind, number = array.__dlpack_device__()
        return index(kind) in (2, 13), index(number)
    except BufferError as error:
        raise _without_dlpack(what, error) from None
    except (TypeError, ValueError):
        raise TypeError(f"{what} says with __dlpack_device__ no pair of numbers") from None


def _without_dlpack(what: str, error: BufferError) -> ValueError:
    return ValueError(f"{what} gives no DLPack: {str(error).rstrip('.')}")


def _place(image: Any) -> str:
    """Where it lies; what does not say lies on the first device, or nowhere that there is."""
    on_device, number = _device_of(image, "the image") or (False, 0)
    return f"cuda:{number}" if on_device else "cuda:0"


def _says_where(image: Any) -> bool:
    """Whether it lies on a device."""
    place = _device_of(image, "the image")
    return hasattr(image, "__cuda_array_interface__") if place is None else place[0]


_plans: dict[Any, _core.Plan] = {}  # of the last calls of `bankside.filter`, each of one stream


def _plan(handle: int, prepare: Any, shape: Any, dtype: str, bank: Any, *options: Any) -> _core.Plan:
    key = (handle, shape, dtype, bank, *options) if isinstance(bank, (str, Bank)) else None
    plan = _plans.get(key)
    if plan is None:
        plan, again = prepare(shape, dtype, bank, *options)
        if len(_plans) >= 32:
            _plans.clear()
        _plans[key if again else object()] = plan  # else it would go now, and wait for its work first
    return plan


def _views(out: Any, handle: int, device: str) -> tuple[_core.DeviceArray, ...]:
    """None, one, or of a pair two."""
    if out is None:
        return ()
    if isinstance(out, tuple):
        names = ("out's values", "out's indices")
        return tuple(_view(array, handle, True, name, device) for array, name in zip(out, names))
    return (_view(out, handle, True, "out", device),)


def _start(
    plan: _core.Plan, image: Any, picture: _core.DeviceArray, out: Any, views: tuple[_core.DeviceArray, ...],
    handle: int,
) -> Any:
    if out is None:
        out = _new(image, plan.shape, plan.result, handle)
        if plan.has_indices:
            out = out, _new(image, plan.shape, "uint16", handle)
        views = _views(out, handle, plan.device)
    if isinstance(out, tuple) != plan.has_indices or len(views) != 1 + plan.has_indices:
        raise TypeError("out is a pair of arrays, values and indices, of an argmax, and one array of all else")
    plan.start(handle, picture, views[0], views[1] if plan.has_indices else None)
    _use(image, handle)
    return out


def _view(array: Any, handle: int, written: bool, what: str, device: str) -> _core.DeviceArray:
    """Where the array's elements lie, once the stream is behind whatever its library still does with it."""
    place = _device_of(array, what)
    if place is not None:
        _require(*place, what, device)
        try:
            capsule = array.__dlpack__(stream=handle or LEGACY)
        except BufferError as error:
            raise _without_dlpack(what, error) from None
        return _core.DeviceArray(capsule, written, what)
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is None:
        _require(not hasattr(array, "__array_interface__"), 0, what, device)
        raise TypeError(f"{what} is a {type(array).__name__}, which offers no array on a device by DLPack")
    try:
        address, read_only = interface["data"]
        sizes, steps = interface["shape"], interface.get("strides") or ()
        places = [_number(address, 0, 64), *(_number(size, 0, 63) for size in sizes)]
        strides = [_number(step, -(2**63), 63) for step in steps]
        earlier = _number(interface.get("stream") or 0, 0, 64)
        kind = str(interface["typestr"])
    except (AttributeError, LookupError, TypeError, ValueError):
        raise TypeError(f"{what} has a __cuda_array_interface__ that says no data, shape, strides or typestr") from None
    if written and read_only:
        raise TypeError(f"{what} is read-only")
    if interface.get("mask") is not None:
        raise TypeError(f"{what} has a mask, which no filter knows")
    if earlier not in (handle, 0):
        _core.stream_wait(handle, earlier)
    return _core.DeviceArray(places[0], places[1:], strides, kind, written, what)


def _number(value: Any, least: int, bits: int) -> int:
    number = index(value)
    if not least <= number < 2**bits:
        raise ValueError
    return number


def _require(on_device: bool, number: int, what: str, device: str) -> None:
    if not on_device or f"cuda:{number}" != device:
        where = f"on cuda:{number}" if on_device else "in host memory"
        raise ValueError(f"{what} lies {where}, where {device} is expected")


def _library(array: Any) -> str:
    """ "torch", "cupy" or ""."""
    for base in type(array).__mro__:
        name = base.__module__.partition(".")[0]
        if name in ("torch", "cupy"):
            return name
    return ""


def _handle(stream: Any, image: Any) -> int:
    """A cudaStream_t."""
    if stream is None:
        library = _library(image)
        if library == "torch" and image.is_cuda:
            return int(sys.modules["torch"].cuda.current_stream(image.device).cuda_stream)
        if library == "cupy":
            return int(sys.modules["cupy"].cuda.get_current_stream().ptr)
        return 0
    given = stream
    for name in ("cuda_stream", "ptr"):  # PyTorch's, CuPy's
        given = getattr(stream, name, given)
    try:
        if hasattr(stream, "__cuda_stream__"):
            given = stream.__cuda_stream__()[1]
        if not isinstance(given, bool):
            return _number(given, 0, 64)
    except (LookupError, TypeError, ValueError):
        pass
    raise TypeError(f"stream is a {type(stream).__name__}, expected a stream of PyTorch's or CuPy's, or a handle")


def _new(image: Any, shape: tuple[int, ...], dtype: str, handle: int) -> Any:
    """Memory of the stream that writes it."""
    library = _library(image)
    if library == "torch":
        torch = sys.modules["torch"]
        current = handle == torch.cuda.current_stream(image.device).cuda_stream
        with contextlib.nullcontext() if current else torch.cuda.stream(torch.cuda.ExternalStream(handle)):
            return torch.empty(shape, dtype=getattr(torch, dtype), device=image.device)
    if library == "cupy":
        cupy = sys.modules["cupy"]
        current = handle == cupy.cuda.get_current_stream().ptr
        with contextlib.nullcontext() if current else cupy.cuda.ExternalStream(handle):
            return cupy.empty(shape, dtype)
    raise TypeError(f"results beside a {type(image).__name__} need memory that is yours: give out=")


def _use(image: Any, handle: int) -> None:
    """PyTorch gives memory on when an array is gone; it is told that another stream reads this."""
    if _library(image) != "torch":
        return
    cuda = sys.modules["torch"].cuda
    if handle != cuda.current_stream(image.device).cuda_stream:
        image.record_stream(cuda.ExternalStream(handle))
