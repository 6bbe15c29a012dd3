"""Numbers with units that are no measurements: a document (empty: any), its words, why."""
ALLOWED = [
    ("", "95 %", "the confidence of an interval, by definition"),
    ("", "2 %", "the margin of a verdict, by definition"),
]
