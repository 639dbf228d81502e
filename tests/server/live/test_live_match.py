"""A match in memory is the same whether it was played here or read from the log."""

from __future__ import annotations

from pathlib import Path

from barpoint.game import Accept, Next, Resign
from barpoint.server.live.live_match import LiveMatch
from tests.support.live_server import DrivenMatch, opened, seated


async def two_games(driven: DrivenMatch) -> LiveMatch:
    """A match after one game and the beginning of the next."""
    for _ in range(3):
        await driven.turn()
    player = (await driven.match()).game.player
    await driven.do(Resign(player, 1), player)
    await driven.do(Accept(1 - player), 1 - player)
    await driven.do(Next(), 0)
    await driven.turn()
    return await driven.live_match()


async def test_events_read_from_the_log_are_told_as_those_that_were_made_here(tmp_path: Path) -> None:
    async with seated(tmp_path) as driven:
        here = await two_games(driven)
        assert {one.game for one in here.told} == {1, 2}
        async with opened(tmp_path) as again:
            elsewhere = await again.live_match(driven.id)
            assert [*elsewhere.told] == [*here.told]


async def test_a_client_gets_the_lines_it_has_not_seen_also_of_a_match_read_from_the_log(tmp_path: Path) -> None:
    async with seated(tmp_path) as driven:
        here = await two_games(driven)
        for after in (None, 0, 2, here.match.first, here.seq - 1, here.seq):
            async with opened(tmp_path) as again:
                elsewhere = await again.live_match(driven.id)
                lines = elsewhere.lines(0, after)
                assert lines == here.lines(0, after)
                expected = here.seq - (here.match.first - 1 if after is None else after)
                assert len(lines) == expected
                assert elsewhere.view(1) == here.view(1)


async def test_the_lines_of_a_later_game_begin_with_its_title_where_games_take_turns(tmp_path: Path) -> None:
    async with seated(tmp_path, "tavli") as driven:
        first, *others = (await two_games(driven)).lines(0, None)
        assert (first.kind, first.game, first.title) == ("next", 2, "Plakoto")
        assert {line.game for line in others} == {2}


async def test_a_match_read_from_the_log_goes_on_with_its_lines_in_order(tmp_path: Path) -> None:
    async with seated(tmp_path) as driven:
        await two_games(driven)
        async with opened(tmp_path) as again:
            moved = DrivenMatch(again, driven.header, driven.clock)
            await moved.turn()
            live_match = await moved.live_match()
            assert [one.seq for one in live_match.told] == [*range(1, live_match.seq + 1)]
