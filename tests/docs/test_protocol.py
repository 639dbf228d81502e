"""docs/protocol.md: its examples are read by the program, and it names every code and message there is."""

import ast
import json
import re
from pathlib import Path

import msgspec
import pytest

from barpoint.cli.answer import answer
from barpoint.cli.protocol import CODES, BadRequest, parse_request
from barpoint.match.proposition import MAX_GAMES, MAX_SPOT
from barpoint.server.api import messages, openapi
from barpoint.server.domain.limits import Allowance
from barpoint.server.domain.propositions import PropositionAsked
from barpoint.server.fibs.commands import COMMANDS
from barpoint.server.fibs.connection import COMMAND_S, GIVEN_UP
from barpoint.server.fibs.line_stream import TOO_FAST
from barpoint.server.fibs.lines import MAX_LINE
from barpoint.server.protocol import chouettes as chouette_messages
from barpoint.server.protocol import matches as match_messages
from barpoint.server.web import chouette_socket, connections, match_socket

TEXT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
ENGINE, REST = TEXT.split("\n## The WebSocket of a match\n")
SOCKET, REST = REST.split("\n## The WebSocket of a chouette\n")
TABLE, REST = REST.split("\n## HTTP for bots\n")
API, FIBS = REST.split("\n## FIBS and CLIP\n")


def examples(text: str) -> list[str]:
    return [line for block in re.findall(r"```\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]


@pytest.mark.parametrize("line", examples(ENGINE))
def test_an_engine_example_is_answered_with_the_fields_its_section_names(line: str) -> None:
    request_id, request = parse_request(line.encode())
    assert request_id == json.loads(line)["id"]
    assert not isinstance(request, BadRequest)
    section = ENGINE.split(f"### {json.loads(line)['do']}\n")[1].split("\n### ")[0]
    named = set(re.findall(r"`(\w+)`", section + ENGINE.split("### plays\n")[1]))
    assert set(answer(request)) <= named


@pytest.mark.parametrize("line", examples(SOCKET))
def test_a_message_of_the_page_is_read(line: str) -> None:
    assert msgspec.to_builtins(match_messages.read_request(line))["do"] == json.loads(line)["do"]


def test_the_version_of_the_protocol_is_the_one_that_the_server_speaks() -> None:
    joins = [line for line in map(json.loads, examples(SOCKET) + examples(TABLE)) if line["do"] == "join"]
    assert [line["protocol"] for line in joins] == [match_messages.PROTOCOL] * 2
    assert f"protocol version {match_messages.PROTOCOL}." in SOCKET


def test_every_command_of_the_fibs_page_is_one() -> None:
    assert {line.split(" ")[0] for line in examples(FIBS)} <= {"login", *COMMANDS}
    assert f"at most {MAX_LINE:,} bytes" in FIBS
    allowed, said = Allowance(), " ".join(FIBS.split())
    for limit, what in ((allowed.lines, "commands"), (allowed.address_lines, "lines")):
        assert f"{limit._burst:.0f} {what} at once and {limit._per_second:.0f} a second" in said
    assert f"more than {COMMAND_S:.0f} seconds" in said
    assert f"`{TOO_FAST}`" in said
    assert f"`{GIVEN_UP}`" in said


@pytest.mark.parametrize("line", examples(TABLE))
def test_a_message_to_a_chouette_is_read(line: str) -> None:
    assert msgspec.to_builtins(chouette_messages.read_chouette_request(line))["do"] == json.loads(line)["do"]


def test_every_event_and_field_of_a_table_is_named() -> None:
    named = set(re.findall(r"`(\w+)`", TABLE))
    own = [kind for kind in match_messages.Action.__subclasses__() if kind.__module__ == chouette_messages.__name__]
    assert {str(kind.__struct_config__.tag) for kind in own} <= named
    assert set(chouette_messages.ChouetteState.__struct_fields__) - {"protocol"} <= named
    assert set(chouette_messages.ChouetteSeatShown.__struct_fields__) <= named


def test_every_code_of_an_error_is_explained() -> None:
    explained = set(re.findall(r"^\| `(\w+)` \|", ENGINE, re.MULTILINE))
    assert {code for _, code in CODES} | {"bad_request"} <= explained


def test_every_code_of_a_refusal_is_explained() -> None:
    files = (connections, match_socket, chouette_socket)
    given = {
        node.args[1].value
        for file in files
        for node in ast.walk(ast.parse(Path(str(file.__file__)).read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and len(node.args) >= 2 and isinstance(node.args[1], ast.Constant)
        if (isinstance(node.func, ast.Name) and node.func.id == "Refused")
        or (isinstance(node.func, ast.Attribute) and node.func.attr == "refuse")
    }
    assert given == set(re.findall(r"`(\w+)`", SOCKET.split("### Refusals")[1])) - {"join", "seq"}


def test_every_message_and_event_is_named() -> None:
    def tags(*kinds: type[msgspec.Struct]) -> set[str]:
        return {str(kind.__struct_config__.tag) for kind in kinds}

    named = set(re.findall(r"`(\w+)`", SOCKET))
    assert (
        tags(
            match_messages.MatchState,
            match_messages.Done,
            match_messages.Tried,
            match_messages.Refused,
            match_messages.Pong,
        )
        <= named
    )
    kinds = (*match_messages.Action.__subclasses__(), *match_messages.RequestBase.__subclasses__())
    assert tags(*(kind for kind in kinds if kind.__module__ == match_messages.__name__)) <= named
    assert f"{match_messages.MAX_FRAME:,} bytes" in SOCKET


def test_every_field_of_a_challenge_to_a_bot_is_named() -> None:
    row = next(line for line in API.splitlines() if line.startswith("| `POST /api/challenge/bot`"))
    named = set(re.findall(r"`(\w+)`", row))
    assert set(messages.BotChallengeBody.__struct_fields__) | set(PropositionAsked.__struct_fields__) <= named
    assert f"`games` (0 to {MAX_GAMES}; 0: until stopped)" in row
    assert f"-{MAX_SPOT} to {MAX_SPOT}" in row


def test_every_address_and_event_of_the_interface_for_bots_is_named() -> None:
    named = set(re.findall(r"`(?:GET |POST )?([^` ]+)", API))
    assert {endpoint.path for endpoint in openapi.ENDPOINTS} | set(messages.KINDS) <= named
