"""Settings of boards and pages that follow an account."""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

import barpoint.server.web
from barpoint.server.domain.own_settings import OwnSettings
from tests.support.accounts import PASSWORD, login, register

FORM = (Path(barpoint.server.web.__file__).parent / "templates" / "settings.html").read_text()
OF_BROWSERS = {"notify"}
"""Fields that no account keeps."""


def settings_in(page: httpx.Response) -> Any:
    """What a page is sent with; None for a guest's, "none yet" for an account without settings."""
    found = re.search(r'<html [^>]*data-settings="([^"]*)"', page.text)
    return None if found is None else json.loads(html.unescape(found[1]) or '"new"') or "none yet"


def test_every_page_comes_with_the_settings_of_the_account_in_whichever_browser(
    http: httpx.Client, other: httpx.Client
) -> None:
    assert settings_in(http.get("/rules")) is None
    made = http.post("/register", data={"name": "Anna", "password": PASSWORD})
    assert settings_in(made) == "new", "it takes those of the browser"
    assert settings_in(http.get("/rules")) == "none yet"
    assert http.post("/settings", json={"speed": "slow", "pips": False}).status_code == 204
    login(other, "Anna")
    assert other.post("/settings", json={"speed": "fast", "pass": True}).status_code == 204
    for page in (http.get("/"), http.get("/nowhere"), http.post("/account/password", data={"password": "wrong"})):
        assert settings_in(page) == {"speed": "fast", "pips": False, "pass": True}
    other.post("/logout", data={"x": ""})
    assert settings_in(other.get("/rules")) is None


@pytest.mark.parametrize(
    ("sent", "status", "said"),
    [
        ('{"speed": "warp"}', 422, "speed is 'warp'; allowed: fast, none, normal, slow"),
        ('{"pips": 1}', 422, "pips is 1; expected"),
        ('{"speeed": "slow"}', 422, "no field is called 'speeed'; did you mean speed?"),
        ('{"notify": true}', 422, "no field is called 'notify'"),
        ("[]", 422, "expected `object`"),
        ("{", 400, "Input data was truncated"),
        ("\udcff", 400, "malformed"),
    ],
)
def test_other_settings_are_refused_and_change_nothing(http: httpx.Client, sent: str, status: int, said: str) -> None:
    register(http, f"Ben {abs(hash(sent)) % 10**6}")
    http.post("/settings", json={"speed": "slow"})
    answer = http.post("/settings", content=sent.encode(errors="surrogateescape"))
    assert answer.status_code == status
    assert said in answer.json()["message"]
    assert settings_in(http.get("/rules")) == {"speed": "slow"}


def test_guests_keep_none_here(http: httpx.Client) -> None:
    http.post("/name", data={"name": "A Guest"})
    assert http.post("/settings", json={"speed": "slow"}).status_code == 403


def test_the_download_of_own_data_has_them(http: httpx.Client) -> None:
    register(http, "Cleo")
    http.post("/settings", json={"board": "harbour"})
    with zipfile.ZipFile(io.BytesIO(http.get("/account/barpoint.zip").content)) as pack:
        assert json.loads(json.loads(pack.read("account.json"))[0]["settings"]) == {"board": "harbour"}


def test_an_account_keeps_every_field_of_the_form_with_every_choice() -> None:
    fields = {info.encode_name: info.type for info in msgspec.structs.fields(OwnSettings)}
    choices = {name: re.findall(r'<option value="([^"]*)"', options)
               for name, options in re.findall(r'<select name="(\w+)">(.*?)</select>', FORM)}  # fmt: skip
    assert fields.keys() == {*choices, *re.findall(r'type="checkbox" name="(\w+)"', FORM)} - OF_BROWSERS
    for name, values in choices.items():
        for value in values:
            msgspec.convert({name: value}, OwnSettings)
