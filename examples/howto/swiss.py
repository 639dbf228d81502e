"""A small Swiss of the server's bots, directed by the owner of an access token: python swiss.py URL TOKEN"""

import asyncio
import sys

from barpoint.client import AsyncClient, JsonObject

PLAN: JsonObject = {"form": "swiss", "variant": "hypergammon", "lengths": [1], "rounds": 2, "bots": True}


async def main(server: str, token: str) -> None:
    async with AsyncClient(server, token) as client:
        level = (await client.get("offered"))["levels"][0]["name"]
        tournament = await client.announce("Four programs", **PLAN)
        for _ in range(4):
            await client.act_in_tournament(tournament, "seat", level=level)
        await client.act_in_tournament(tournament, "begin")
        while (shown := await client.tournament(tournament))["tournament"]["stage"] == "running":
            await asyncio.sleep(0.2)
        for line in shown["standings"]:
            print(line["rank"], line["name"], line["points"], line["buchholz"])


asyncio.run(main(sys.argv[1], sys.argv[2]))
