"""A bot that waits for challenges and plays all its matches at once: python waiting_bot.py URL TOKEN"""

import asyncio
import random
import sys

from barpoint.client import AsyncClient, ChosenAction, JsonObject


def choose(state: JsonObject, plays: list[JsonObject]) -> ChosenAction | None:
    kinds = {item["kind"] for item in state["view"]["allowed"]}
    if "play" in kinds:
        return "play", {"moves": random.choice(plays)["moves"] if plays else []}
    return next(((kind, {}) for kind in ("keep", "take", "accept", "roll", "next") if kind in kinds), None)


async def main(server: str, token: str) -> None:
    async with AsyncClient(server, token) as client:
        await client.play_all(choose, lambda challenge: challenge["variant"] != "longgammon")


asyncio.run(main(*sys.argv[1:]))
