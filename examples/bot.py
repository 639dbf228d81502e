"""A bot in sixty lines: plays whole matches of any game against a Barpoint server, by what the server says is legal.

    python examples/bot.py http://127.0.0.1:8000 roll-over+duodecagammon 3

It needs nothing but Python. BARPOINT_TOKEN is the token to act with; without one it plays as a new guest.
"""

import json
import os
import random
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def ask(server, path, token="", body=None):
    """An open answer of the server: to a POST where there is a body, else to a GET. Waits where it was too much at once."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    try:
        return urlopen(Request(server + path, data, headers), timeout=60)
    except HTTPError as refusal:
        if refusal.code != 429:
            raise
        time.sleep(1)
        return ask(server, path, token, body)


def choose(view):
    """What to do now, as a kind of event and its fields; None while the other side is to act."""
    may = {item["kind"]: item for item in view["allowed"]}
    if "rollover" in may and random.random() < 0.05:
        return "rollover", {"roll": may["rollover"]["roll"]}
    return next(((kind, {}) for kind in ("play", "keep", "take", "accept", "roll", "next") if kind in may), None)


def main():
    server, variant, length = sys.argv[1:]
    token = os.environ.get("BARPOINT_TOKEN") or json.load(ask(server, "/api/guest", body={"name": "Example"}))["token"]
    wanted = {"variant": variant, "length": int(length)}
    match = json.load(ask(server, "/api/challenge/bot", token, wanted))["id"]
    for line in ask(server, f"/api/bot/match/stream/{match}", token):
        state = json.loads(line) if line.strip() else None
        if state and not state["over"] and (event := choose(state["view"])):
            kind, fields = event
            try:
                if kind == "play":
                    plays = json.load(ask(server, f"/api/bot/match/{match}/plays", token))["plays"]
                    fields = {"moves": random.choice(plays or [{"moves": []}])["moves"]}
                ask(server, f"/api/bot/match/{match}/{kind}", token, {"seq": state["seq"], **fields}).close()
            except HTTPError as refusal:  # the other side was faster (a roll-over): the next line says what now
                if refusal.code not in (409, 422):
                    raise
        if state and state["over"]:
            score = state["view"]["score"]
            print(f"{variant}: {score['near']:g} to {score['far']:g}")


if __name__ == "__main__":
    main()
