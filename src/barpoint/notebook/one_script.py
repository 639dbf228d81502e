"""A script and the scripts that it imports as one, for hosts that take a single text."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

_IMPORT: Final = re.compile(r'^((?:import|export)\b[^"\n]*")(\.[^"]+)(";)', re.MULTILINE)
"""A static import of a file beside the script, on one line, as all of ours are."""

_LOADER: Final = """const addresses = {};
for (const [name, text] of Object.entries(%s)) {
  const source = text.replace(/"within:([^"]+)"/g, (_, other) => `"${addresses[other]}"`);
  addresses[name] = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
}
const { default: exported } = await import(addresses[%s]);
export default exported;
"""


def one_script(entry: Path) -> str:
    """An ES module with the default export of `entry`. It carries every script that this one imports, directly or not.

    The scripts stay modules of their own, loaded once each. OSError where one is missing.
    """
    texts: dict[Path, str] = {}
    _gather(entry.resolve(), texts)
    names = {path: f"{number}/{path.name}" for number, path in enumerate(texts)}
    sources = {}
    for path, text in texts.items():
        for begin, imported, end in _IMPORT.findall(text):
            other = names[(path.parent / imported).resolve()]
            text = text.replace(f"{begin}{imported}{end}", f"{begin}within:{other}{end}")
        sources[names[path]] = text
    return _LOADER % (json.dumps(sources), json.dumps(names[entry.resolve()]))


def _gather(path: Path, texts: dict[Path, str]) -> None:
    """Adds a script, after all that it imports."""
    text = path.read_text(encoding="utf-8")
    for _, imported, _ in _IMPORT.findall(text):
        if (other := (path.parent / imported).resolve()) not in texts:
            _gather(other, texts)
    texts[path] = text
