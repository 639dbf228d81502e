"""docs/running.md says every option and every figure of a server, and the files for containers agree with the program."""

from __future__ import annotations

import re
from pathlib import Path

import typer
from typer.testing import CliRunner

from barpoint.cli.program import app
from barpoint.server.telemetry import Metrics

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
COMPOSE = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")


def options() -> set[str]:
    """Every option of barpoint serve."""
    command = typer.main.get_command(app).get_command(None, "serve")  # type: ignore[attr-defined, arg-type]
    return {name for parameter in command.params for name in parameter.opts if name.startswith("--")}


def test_every_option_is_explained() -> None:
    assert CliRunner().invoke(app, ["serve", "--help"]).exit_code == 0
    assert {name for name in options() if f"`{name}`" not in PAGE} == set()


def test_every_command_of_administrators_is_explained() -> None:
    admin = typer.main.get_command(app).get_command(None, "admin")  # type: ignore[attr-defined, arg-type]
    table = PAGE.partition("| `barpoint admin` |")[2].partition("\n\n")[0]
    assert [name for name in admin.commands if not re.search(rf"`{name}[ `]", table)] == []


def test_every_figure_is_explained() -> None:
    own = {family.name for family in Metrics().registry.collect() if family.name.startswith("barpoint_")}
    explained = {name.removesuffix("_total") for name in re.findall(r"`(barpoint_\w+)`", PAGE)}
    assert own | {"barpoint_matches_in_memory", "barpoint_jobs_running"} == explained


def test_containers_are_started_with_options_that_there_are() -> None:
    used = set(re.findall(r'"(--[a-z-]+)"', COMPOSE.partition("services:")[0]))
    used |= set(re.findall(r'"(--[a-z-]+)"', (ROOT / "Dockerfile").read_text(encoding="utf-8")))
    assert used
    assert used <= options()
