"""Brings the catalogues in data/languages up to date with the texts of the sources: `make texts`.

They stand in the order of the sources, without their places, which would be a third of each file; texts of the page's scripts are marked.
`--check` changes nothing, and fails where a catalogue is not up to date or not complete.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages import Catalog
from babel.messages.extract import extract, extract_from_file
from babel.messages.pofile import read_po, write_po

from barpoint.language import SCRIPT

SOURCES: Final = Path(__file__).parents[1] / "src" / "barpoint"
CATALOGUES: Final = SOURCES / "data" / "languages"

KEYWORDS: Final = {
    "_": None,
    "N_": None,
    "Word": None,
    "Said": None,
    "gettext": None,
    "ngettext": (1, 2),
    "refusal": (3,),
    "pgettext": ((1, "c"), 2),
}
TEMPLATES: Final = {"trimmed": "true", "silent": "false"}
LESSON_TEXTS: Final = ("title", "text", "ask", "right", "after")

ENGLISH: Final = ("server/api", "server/fibs", "server/storage/migrations")
"""Folders below the package whose texts are read by programs, or belong to a protocol in English."""

SHOWN: Final = ("server/api/analysis_board.py", "server/api/requests.py")
"""Files among them whose texts a page shows."""


OPERATORS: Final = (
    "engine",
    "native.py",
    "server/live/administration.py",
    "server/bots/bgsage.py",
    "server/bots/bgsage_process.py",
    "server/bots/gnubg.py",
    "server/child_process.py",
    "server/command.py",
    "server/storage/database.py",
    "server/storage/migration.py",
    "server/storage/store.py",
)
"""Where errors are for whoever runs the program, in the English of its logs."""


def error_classes() -> set[str]:
    """The names of our exceptions: their first argument is a text."""
    bases: dict[str, set[str]] = {}
    for file in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = {base.id for base in node.bases if isinstance(base, ast.Name)}
    found = {"BarpointError"}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return found


def translated_files() -> Iterator[Path]:
    """Every file that may contain texts for people."""
    for file in sorted(SOURCES.rglob("*")):
        name = file.relative_to(SOURCES).as_posix()
        if file.suffix in (".py", ".html", ".js", ".toml") and (name in SHOWN or not name.startswith(ENGLISH)):
            yield file


def _found_in(file: Path, keywords: dict[str, object]) -> Iterator[tuple[object, str | None]]:
    """(text or plural forms, context) of each text of a file."""
    if file.suffix == ".toml":
        for lesson in tomllib.loads(file.read_text(encoding="utf-8")).get("lesson", ()):
            yield from ((lesson[name], None) for name in LESSON_TEXTS if lesson.get(name))
        return
    method, options = {
        ".py": ("python", {}),
        ".html": ("jinja2.ext:babel_extract", TEMPLATES),
        ".js": ("javascript", {}),
    }[file.suffix]
    for _, text, _, context in extract_from_file(method, file, keywords, options=options):  # type: ignore[arg-type]
        yield text, context
    if file.suffix == ".js":
        for inside in inside_templates(file.read_text(encoding="utf-8")):
            for _, text, _, context in extract(method, BytesIO(inside.encode()), keywords):  # type: ignore[arg-type]
                yield text, context


def inside_templates(code: str) -> Iterator[str]:
    """Every expression inside a template string of a script, `${...}`: Babel reads none with an object in it."""
    for start in re.finditer(r"\$\{", code):
        depth, quote, at = 1, "", start.end()
        while depth:
            if quote:
                at += code[at] == "\\"
                quote = "" if code[at] == quote else quote
            else:
                quote = code[at] if code[at] in "\"'" else ""
                depth += {"{": 1, "}": -1}.get(code[at], 0)
            at += 1
        yield code[start.end() : at - 1]


def texts_of_sources() -> Catalog:
    """Every text of the sources, with the files it stands in."""
    template = Catalog(project="barpoint", charset="utf-8")
    errors = dict.fromkeys(error_classes())
    for file in translated_files():
        name = file.relative_to(SOURCES).as_posix()
        for text, context in _found_in(file, KEYWORDS if name.startswith(OPERATORS) else {**KEYWORDS, **errors}):
            if text:
                marks = [SCRIPT] if file.suffix == ".js" else []
                template.add(text, locations=[(name, 1)], auto_comments=marks, context=context)  # type: ignore[arg-type]
    return template


_GENERATOR: Final = re.compile(rb'^"Generated-By: .*\n', re.MULTILINE)
"""The line that names the version of the library; the same texts are the same file with any of them."""


def updated(file: Path, template: Catalog) -> tuple[bytes, list[str]]:
    """A catalogue with the texts of the sources as it is written, and the texts that it does not translate."""
    with file.open("rb") as said:
        catalogue = read_po(said, locale=file.stem)
    template.creation_date = catalogue.creation_date
    catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    for one in catalogue:
        one.flags.discard("python-format")  # their places tell
    written = BytesIO()
    write_po(written, catalogue, width=120, sort_by_file=True, no_location=True, ignore_obsolete=True)
    missing = []
    for one in catalogue:
        said_all = all(one.string) if isinstance(one.string, list | tuple) else one.string
        if one.id and (one.fuzzy or not said_all):
            missing.append(one.id if isinstance(one.id, str) else one.id[0])
    return _GENERATOR.sub(b"", written.getvalue()), missing


def main(check: bool) -> int:
    """Updates or checks every catalogue; the exit status."""
    template, status = texts_of_sources(), 0
    for file in sorted(CATALOGUES.glob("*.po")):
        written, missing = updated(file, template)
        if check and written != file.read_bytes():
            print(f"{file.name} is not up to date: run `make texts`")
            status = 1
        elif not check:
            file.write_bytes(written)
        print(f"{file.name}: {len(missing)} of {len(template)} texts are not translated")
        for text in missing:
            print(f"  {text}")
        status = status or int(check and bool(missing))
    return status


if __name__ == "__main__":
    raise SystemExit(main("--check" in sys.argv))
