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
    """Publishes a net; returns its file name."""
    data = unpacked(source.read_bytes())
    parse(data)
    file = f"{name_of(data)}.net"
    table = NETS / "nets.toml"
    text = replaced(table.read_text(encoding="utf-8"), name, "file", file)
    for field, value in (("recipe", recipe), ("strength", strength)):
        if value:
            text = replaced(text, name, field, value)
    (NETS / file).write_bytes(packed(data))
    table.write_text(text, encoding="utf-8")
    clear(text)
    return file


def publish_pruning_net(name: str, data: bytes) -> str:
    """Publishes the pruning net of an entry; returns its file name."""
    parse(data)
    return _publish_beside(name, "pruning_net", data)


def publish_cube_net(name: str, data: bytes) -> str:
    """Publishes the cube net of an entry; returns its file name."""
    parse_cube_net(data)
    return _publish_beside(name, "cube_net", data)


def _publish_beside(name: str, field: str, data: bytes) -> str:
    """Publishes a net that serves the entry's net, under this field."""
    file = f"{name_of(data)}.net"
    table = NETS / "nets.toml"
    text = replaced(table.read_text(encoding="utf-8"), name, field, file)
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
