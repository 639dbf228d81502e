"""A bot that plays by our engine on a server, and takes every double: python server_bot.py URL [LENGTH]"""

import asyncio
import sys

import barpoint as bp
from barpoint.client import AsyncClient, ChosenAction, JsonObject, situation_in


async def main(server: str, length: int) -> None:
    engine = bp.Engine("backgammon")

    def choose(state: JsonObject, plays: list[JsonObject]) -> ChosenAction | None:
        kinds = {item["kind"] for item in state["view"]["allowed"]}
        if "play" in kinds:
            return "play", {"moves": engine.rank(situation_in(state["view"]))[0].play.moves}
        return next(((kind, {}) for kind in ("keep", "take", "accept", "roll", "next") if kind in kinds), None)

    async with AsyncClient(server) as client:
        await client.guest("Thinker")
        match = await client.challenge_bot("backgammon", length)
        print((await client.play(match, choose))["view"]["score"])


asyncio.run(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1))
