"""The blunders of every match in folders, files and zips as a table: python blunders.py PATH..."""

import sys
from pathlib import Path

import barpoint as bp
from barpoint.record import match_files

for file in match_files(map(Path, sys.argv[1:])):
    for book in bp.read_matches(file.data, suffix=file.suffix):
        report = bp.analyse(book, plies=0)
        for decision in report.decisions:
            if decision.mark == "blunder":
                made, best = decision.options[decision.chosen], decision.options[0]
                who = book.players[decision.player]
                print(f"{file.stem}\t{decision.game}\t{who}\t{made.text}\t{best.text}\t{decision.loss:.3f}")
