"""Every match of folders, files and zips in another format: python convert.py FOLDER SUFFIX PATH..."""

import sys
from pathlib import Path

import barpoint as bp
from barpoint.record import match_files

folder, suffix = Path(sys.argv[1]), sys.argv[2]
folder.mkdir(parents=True, exist_ok=True)
for file in match_files(map(Path, sys.argv[3:])):
    try:
        for number, book in enumerate(bp.read_matches(file.data, suffix=file.suffix), start=1):
            bp.write_match(book, folder / f"{file.stem}-{number}{suffix}")
            for odd in book.oddities:
                print(f"{file.name}: {odd}")
    except bp.BarpointError as error:
        print(f"{file.name}: refused: {error}")
