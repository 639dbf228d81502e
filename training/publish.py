"""Put a trained net into the package: python -m training.publish NAME FILE [RECIPE] [STRENGTH]

NAME is an entry of src/barpoint/data/nets/nets.toml, whose file, recipe and strength are replaced; empty texts keep the
old ones. The previous net is deleted unless another entry uses it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from barpoint.engine.net import name_of, parse, parse_cube_net
from barpoint.engine.net_file import packed, unpacked

NETS = Path(__file__).parents[1] / "src" / "barpoint" / "data" / "nets"


def replaced(text: str, name: str, field: str, value: str) -> str:
    """The text of nets.toml with one field of one entry changed; ValueError when it has none such."""
    pattern = re.compile(rf'(name = "{re.escape(name)}"\n(?:(?!\n\[\[)[\s\S])*?{field} = )"[^"]*"')
    if not pattern.search(text):
        raise ValueError(f"nets.toml has no entry {name} with a field {field}")
    return pattern.sub(lambda found: f'{found[1]}"{value}"', text, count=1)


def publish(name: str, source: Path, recipe: str = "", strength: str = "") -> str:
    """Publishes the net of a file; returns its file name."""
    return publish_net(name, unpacked(source.read_bytes()), recipe, strength)


def publish_net(name: str, data: bytes, recipe: str = "", strength: str = "") -> str:
    """The same of the bytes of a net file."""
    parse(data)
    return _put(name, "file", data, recipe=recipe, strength=strength)


def publish_pruning_net(name: str, data: bytes) -> str:
    """Publishes the pruning net of an entry; returns its file name."""
    parse(data)
    return _put(name, "pruning_net", data)


def publish_cube_net(name: str, data: bytes) -> str:
    """Publishes the cube net of an entry; returns its file name."""
    parse_cube_net(data)
    return _put(name, "cube_net", data)


def _put(name: str, field: str, data: bytes, **texts: str) -> str:
    """Publishes a net under this field of an entry, with texts of others that are not empty; returns its file name."""
    file = f"{name_of(data)}.net"
    table = NETS / "nets.toml"
    text = table.read_text(encoding="utf-8")
    for other, value in {field: file, **texts}.items():
        if value:
            text = replaced(text, name, other, value)
    (NETS / file).write_bytes(packed(data))
    table.write_text(text, encoding="utf-8")
    clear(text)
    return file


def clear(text: str) -> None:
    """Deletes nets that this parsed nets.toml does not name."""
    for other in NETS.glob("*.net"):
        if other.name not in text:
            other.unlink()


if __name__ == "__main__":
    print(publish(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:]))
