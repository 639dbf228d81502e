"""Every decision of folders, files and zips of matches as a table: python decision_table.py TABLE.npz PATH..."""

import sys
from pathlib import Path

import numpy as np

import barpoint as bp
from barpoint.analysis.decision_table import KINDS, positions_of
from barpoint.record import match_files

files, tables = list[str](), list[np.ndarray]()
for file in match_files(map(Path, sys.argv[2:])):
    for book in bp.read_matches(file.data, suffix=file.suffix):
        tables.append(bp.analyse(book, plies=0).table(book))
        files += [file.name] * len(tables[-1])
rows = np.concatenate(tables)
positions = positions_of(rows)  # int8 [n, 2, 32], seen by whoever decides
np.savez_compressed(sys.argv[1], rows=rows, files=files, positions=positions)
plays = rows[(rows["kind"] == KINDS.index("play")) & rows["counted"]]
print(
    f"{len(rows)} decisions, {plays['loss'].mean():.3f} lost a play, win {bp.Engine().evaluate_array(positions)[0, 0]:.2f}"
)
for row, name in zip(rows[:3], files, strict=False):
    print(name, row["event"], KINDS[row["kind"]], row["away"], f"{row['loss']:.3f}")
