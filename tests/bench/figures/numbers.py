"""How a measurement is written: three significant digits at most."""


def number(value):
    """Three significant digits, thousands with a comma: 0.914, 34.9, 1,200."""
    if value == 0:
        return "0"
    rounded = float(f"{value:.3g}")
    decimals = max(0, 2 - int(f"{rounded:e}".split("e")[1]))
    return f"{rounded:,.{decimals}f}"


def times(ratio):
    """A ratio: hundredths below two, tenths below ten, whole numbers above."""
    decimals = 2 if ratio < 1.995 else 1 if ratio < 9.95 else 0
    return f"{ratio:.{decimals}f}"


def span(ratios):
    """The smallest and the largest of ratios: 2.1 to 5.4."""
    ratios = list(ratios)
    return f"{times(min(ratios))} to {times(max(ratios))}"


def percent(fraction):
    """A fraction in percent: tenths below ten."""
    value = 100 * fraction
    return f"{value:.{1 if abs(value) < 9.95 else 0}f}"


def duration(us):
    """Microseconds with their unit: 34.9 us, 1.20 ms."""
    return f"{number(us)} us" if us < 999.5 else f"{number(us / 1e3)} ms"
