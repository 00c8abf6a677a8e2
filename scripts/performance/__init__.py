"""The pages of figures: results/*.csv in, Markdown and SVG out. perf_tables.py is the program."""
