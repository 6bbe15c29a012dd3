"""Functions that are another library's too: what is not computed here is handed to it."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any, TypeVar, cast

import bankside

Function = TypeVar("Function", bound=Callable[..., Any])


class NotHere(Exception):
    """What is not computed here."""


@functools.lru_cache(maxsize=64)
def near_engine(bank: bankside.Bank, shape: tuple[int, ...], dtype: str, channel_axis: int) -> str:
    """The engine for results that no pixel touches which their windows do not see: "auto", but for transforms, which round
    everything near a bright pixel as that is rounded."""
    plan = bankside.Plan(bank, shape, dtype, combine="sum", channel_axis=channel_axis)
    return "cpu:direct" if plan.engine == "cpu:fft" else "auto"


def function_of(module: str, library: str, name: str) -> Any:
    """The other library's function.

    Raises:
        NotImplementedError: The library is not installed.
    """
    try:
        return getattr(importlib.import_module(module), name)
    except ImportError:
        raise NotImplementedError(
            f"{name} of these arguments is not computed by bankside, and {library}, which would, is not installed"
        ) from None


def else_of(module: str, library: str) -> Callable[[Function], Function]:
    """The function of the same name and signature in `module`, where ours raises NotHere."""

    def decorate(ours: Function) -> Function:
        @functools.wraps(ours)
        def either(*args: Any, **kwargs: Any) -> Any:
            try:
                return ours(*args, **kwargs)
            except NotHere:
                return function_of(module, library, ours.__name__)(*args, **kwargs)

        return cast(Function, either)

    return decorate
