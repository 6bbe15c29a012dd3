"""How many random recipes have been judged: tests/properties/nights.py."""
from figures.registry import figure
from figures.report import rows

KEPT = "../../properties/outcome"
COMMAND = ("tests/properties/nights.py build/bin/properties-tests tests/properties/outcome.json --cases 1000000 --jobs 32 "
           "--first-seed 401")

figure("properties-cases", KEPT, lambda: f"{rows(KEPT)[0]['cases']:,}", COMMAND)
figure("properties-failed", KEPT, lambda: f"{rows(KEPT)[0]['seeds_failed']}", COMMAND)
