"""A bot of one's own on a server, against the server's: python server_bot.py URL [LENGTH]"""

import asyncio
import random
import sys

from barpoint.client import AsyncClient, ChosenAction, JsonObject


def choose(state: JsonObject, plays: list[JsonObject]) -> ChosenAction | None:
    kinds = {item["kind"] for item in state["view"]["allowed"]}
    if "play" in kinds:
        return "play", {"moves": random.choice(plays)["moves"] if plays else []}
    return next(((kind, {}) for kind in ("keep", "take", "accept", "roll", "next") if kind in kinds), None)


async def main(server: str, length: int) -> None:
    async with AsyncClient(server) as client:
        await client.guest("Random")
        match = await client.challenge_bot("backgammon", length)
        print((await client.play(match, choose))["view"]["score"])


asyncio.run(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1))
