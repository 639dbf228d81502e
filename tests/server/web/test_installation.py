"""The pages as an app: the manifest, its icons, the service worker and the page for being off line."""

from __future__ import annotations

import struct

import httpx


def test_the_manifest_has_what_a_browser_needs_to_install_the_app(http: httpx.Client) -> None:
    answer = http.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    found = answer.json()
    assert found["name"]
    assert found["short_name"]
    assert (found["start_url"], found["scope"], found["display"]) == ("/", "/", "standalone")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in found["icons"] if icon["type"] == "image/png"}
    assert any(icon.get("purpose") == "maskable" for icon in found["icons"])
    for shortcut in found["shortcuts"]:
        assert http.get(shortcut["url"]).status_code == 200
    for icon in found["icons"]:
        drawn = http.get(icon["src"])
        assert drawn.status_code == 200
        assert drawn.headers["content-type"].startswith(icon["type"])
        if icon["type"] == "image/png":
            assert len(drawn.content) < 30_000
            assert "{}x{}".format(*struct.unpack(">II", drawn.content[16:24])) == icon["sizes"]


def test_every_page_names_the_manifest_and_its_colours_are_those_of_the_pages(http: httpx.Client) -> None:
    found = http.get("/manifest.webmanifest").json()
    for path in ("/", "/rules", "/login"):
        text = http.get(path).text
        assert '<link rel="manifest" href="/manifest.webmanifest">' in text
        assert f'<meta name="theme-color" content="{found["theme_color"]}"' in text
        assert "manifest-src 'self'" in http.get(path).headers["content-security-policy"]


def test_the_worker_is_served_at_the_root_and_everything_it_keeps_is_there(http: httpx.Client) -> None:
    worker = http.get("/worker.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert worker.headers["cache-control"] == "no-cache"
    kept = worker.text.split("const KEPT = [")[1].split("]")[0]
    paths = ["/offline", *(part.strip().strip('"') for part in kept.split(",")[1:])]
    assert len(paths) > 4
    for path in paths:
        assert http.get(path).status_code == 200, path
    page = http.get("/offline").text
    for path in paths[1:]:
        assert path in page, f"{path} is kept and not used"
    assert "set-cookie" not in http.get("/offline").headers
