"""The measured figures and tables that README.md and docs/ quote, made from the reports in tests/bench/results."""
