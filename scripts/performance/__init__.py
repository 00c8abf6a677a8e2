"""Generates the performance pages, in Markdown and SVG, from results/*.csv. The program is perf_tables.py."""
