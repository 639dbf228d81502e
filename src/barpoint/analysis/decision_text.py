"""A decision with its analysis as plain text, to paste elsewhere: the board in letters, its ID, the best choices and the one that was made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from barpoint.analysis.decision_board import DecisionBoard, board_text, id_text, side_letter
from barpoint.analysis.findings import CubeEquities, Decision, Findings
from barpoint.analysis.judge import SHOWN
from barpoint.analysis.position import CubeAnswer, PositionAnswer, RerollAnswer
from barpoint.analysis.position_rollout import RolledChoice, RolloutAnswer
from barpoint.analysis.words import CUBE_ACTIONS, CUBE_ROWS, choice_text
from barpoint.language import _, ngettext, number, percent


def decision_text(
    shown: DecisionBoard,
    found: PositionAnswer | Decision,
    *,
    made: str = "",
    report: Findings | None = None,
    rolled: RolloutAnswer | None = None,
) -> str:
    """The board with its ID; below it the five best choices and the one that was made, each with equity, loss, the chances of both sides, and by what it was judged.

    made: what was played, as an answer names it: a play in notation, or such as "Take"; "" for nothing. A decision knows that itself.
    report: of a decision, for its search depth and its net; an answer knows both. rolled: the rollout of the same, whose choices come first.
    """
    parts = [board_text(shown), id_text(shown), "", *_found(shown, found, made, report, rolled)]
    return "\n".join(parts) + "\n"


@dataclass(frozen=True, slots=True)
class _Choice:
    """A line. rank: 0 where it is not known. equity: None of a play that is worse than all that were judged. error: of a rollout."""

    text: str
    rank: int
    equity: float | None = None
    loss: float = 0.0
    level: str = ""
    chances: tuple[float, ...] = ()
    error: float | None = None
    made: bool = False


def _found(
    shown: DecisionBoard,
    found: PositionAnswer | Decision,
    made: str,
    report: Findings | None,
    rolled: RolloutAnswer | None,
) -> Iterator[str]:
    level = _level_of(found, report)
    choices = _choices(found, made, level)
    if rolled is not None and rolled.kind == "play" and choices:
        choices = _with_rolled(choices, rolled)
    cube, reason = found.cube, found.cube.reason if isinstance(found.cube, CubeAnswer) else ""
    if reason:
        yield _("No double: %(reason)s", reason=_(reason))
    if isinstance(found, PositionAnswer) and (reason or not (cube or choices)):
        yield _("Equity %(equity)s", equity=_signed(found.equity))
        yield _chances_text(found.chances, shown.situation.player)
    elif cube is not None:
        yield from _cube_lines(shown, found, cube, level, rolled)
    mover = shown.situation.actor
    few = [one for index, one in enumerate(choices) if index < SHOWN or one.made]
    if few and cube is not None:
        few = [replace(one, rank=0) for one in few if one.made]  # the equities of the cube stand above
        if few and (rollout := _cube_rollout(rolled)):
            done = found.made.text if isinstance(found, Decision) else made
            rows = _rolled_rows(rollout)
            few = [_of_cube([one.equity or 0.0 for one in rows], done, _rolled_level(rows[0], rollout))]
    yield from _rows(few, mover)
    if isinstance(found, PositionAnswer) and found.reroll is not None:
        yield from _reroll(found.reroll)
    if any(one.made for one in few):
        yield ""
        yield _("* what was played")
    yield from _method(found, report, rolled)


def _level_of(found: PositionAnswer | Decision, report: Findings | None) -> str:
    """By what the best choices were judged; "" where that is not known."""
    if isinstance(found, PositionAnswer):
        return _level(found.plies, found.source)
    if found.games:
        return ngettext("rolled out, %(num)s game", "rolled out, %(num)s games", found.games)
    return "" if report is None else _level(found.plies or report.plies)


def _choices(found: PositionAnswer | Decision, made: str, level: str) -> list[_Choice]:
    """Every choice, best first; of the cube only what was done."""
    if isinstance(found, Decision):
        return [
            _Choice(
                choice_text(one.text, found.level) or _("no play"),
                index + 1 if index < SHOWN else 0,  # a report keeps no others but the one that was made
                one.equity,
                one.loss,
                level,
                one.chances,
                made=index == found.chosen,
            )
            for index, one in enumerate(found.options)
        ]
    choices = [
        _Choice(
            one.text or _("no play"),
            index,
            one.equity,
            one.loss,
            level if one.deep or one.plies is None else _level(one.plies, found.source),
            one.chances,
            made=one.text == made != "",
        )
        for index, one in enumerate(found.plays, start=1)
    ]
    if made and not choices and found.cube is not None and not found.cube.reason:
        cube = found.cube
        choices.append(_of_cube((cube.no_double, cube.double_take, cube.double_pass), made))
    elif made and choices and not any(one.made for one in choices):
        choices.append(_Choice(made, 0, made=True))
    return choices


def _of_cube(equities: Sequence[float], made: str, level: str = "") -> _Choice:
    """What was done about the cube, with its loss, as whoever decides sees it. equities: of `CUBE_ROWS`, seen by the doubler."""
    no_double, taken, passed = equities
    doubled = min(taken, passed)
    values = {
        "No double": (no_double, doubled - no_double),
        "Double": (doubled, no_double - doubled),
        "Take": (-taken, taken - passed),
        "Pass": (-passed, passed - taken),
    }
    equity, loss = values.get(made, (None, 0.0))
    return _Choice(choice_text(made), 0, equity, max(0.0, loss), level, made=True)


def _cube_rollout(rolled: RolloutAnswer | None) -> RolloutAnswer | None:
    """The rollout, where it tells the right cube action."""
    return rolled if rolled is not None and rolled.kind == "cube" and rolled.action else None


def _rolled_rows(rollout: RolloutAnswer) -> list[RolledChoice]:
    """The choices of `CUBE_ROWS`."""
    by_text = {one.text: one for one in rollout.choices}
    return [by_text[name] for name in CUBE_ROWS]


def _with_rolled(choices: Sequence[_Choice], rolled: RolloutAnswer) -> list[_Choice]:
    """The choices that were rolled out, best first, then the others as they were judged before."""
    known = {one.text: one for one in choices}
    done = sorted((one.equity, index) for index, one in enumerate(rolled.choices) if one.equity is not None)
    first = []
    for rank, (equity, index) in enumerate(reversed(done), 1):
        one = rolled.choices[index]
        before = known.pop(one.text, None)
        chances = one.chances or (before.chances if before else ())
        made = before is not None and before.made
        level = _rolled_level(one, rolled)
        first.append(_Choice(one.text, rank, equity, done[-1][0] - equity, level, chances, one.error, made))
    rest = [one for one in choices if one.text in known]
    return [*first, *(replace(one, rank=rank if one.rank else 0) for rank, one in enumerate(rest, len(first) + 1))]


def _rows(choices: Sequence[_Choice], mover: int) -> Iterator[str]:
    """The choices in columns, each with its chances below it."""
    width = max((len(one.text) for one in choices), default=0)
    for one in choices:
        rank = f"{one.rank}." if one.rank else ""
        head = f"{'*' if one.made else ' '}{rank:>4} {one.text:<{width}}"
        if one.equity is None:
            yield head + "  " + _("worse than all that were judged")
            continue
        loss = f"({_signed(-one.loss)})" if one.loss else ""
        yield f"{head}  {_with_error(one.equity, one.error)}  {loss:>8}  {one.level}".rstrip()
        if one.chances:
            yield f"      {_chances_text(one.chances, mover)}"


def _cube_lines(
    shown: DecisionBoard,
    found: PositionAnswer | Decision,
    cube: CubeAnswer | CubeEquities,
    level: str,
    rolled: RolloutAnswer | None,
) -> Iterator[str]:
    """The right action, the three equities, and the chances of both sides; all of whoever may double."""
    player = shown.situation.player
    rollout = _cube_rollout(rolled)
    action = cube.action if rollout is None else rollout.action
    yield _("Right for %(side)s: %(action)s.", side=side_letter(player), action=_(CUBE_ACTIONS[action]))
    values: list[tuple[float, float | None]] = [
        (one, None) for one in (cube.no_double, cube.double_take, cube.double_pass)
    ]
    chances = found.chances if isinstance(found, PositionAnswer) else ()
    if rollout is not None:
        rows = _rolled_rows(rollout)
        values = [(one.equity or 0.0, one.error) for one in rows]
        level, chances = _rolled_level(rows[0], rollout), rows[0].chances or chances
    names = [_(name) for name in CUBE_ROWS]
    width = max(map(len, names))
    right = _right_row(action)
    for row, (name, (equity, error)) in enumerate(zip(names, values, strict=True)):
        beside = _("right") if row == right else f"({_signed(equity - values[right][0])})"
        yield f"      {name:<{width}}  {_with_error(equity, error)}  {beside:>8}  {level if row == 0 else ''}".rstrip()
    if chances:
        yield f"      {_chances_text(chances, player)}"
    elif isinstance(cube, CubeEquities):
        yield f"      {_few_chances_text(cube, player)}"


def _reroll(found: RerollAnswer) -> Iterator[str]:
    keep, reroll = _signed(found.keep), _signed(found.reroll)
    if found.action == "call":
        yield _("Reroll: the roll is worth %(keep)s, a new one %(reroll)s.", keep=keep, reroll=reroll)
    else:
        yield _("Keep the roll: it is worth %(keep)s, a new one %(reroll)s.", keep=keep, reroll=reroll)


def _right_row(action: str) -> int:
    """Which of `CUBE_ROWS` is right."""
    return {"no double": 0, "too good": 0, "double/pass": 2}.get(action, 1)


def _level(plies: int, source: str = "net") -> str:
    if source == "exact":
        return _("exact table")
    return _("%(plies)s-ply, bear-off table", plies=plies) if source == "bear-off" else _("%(plies)s-ply", plies=plies)


def _rolled_level(one: RolledChoice, rolled: RolloutAnswer) -> str:
    games = one.games or rolled.done
    return ngettext("rolled out, %(num)s game", "rolled out, %(num)s games", games)


def _method(found: PositionAnswer | Decision, report: Findings | None, rolled: RolloutAnswer | None) -> Iterator[str]:
    if rolled is not None and any(one.equity is not None for one in rolled.choices):
        values = {"plies": rolled.plies, "truncate": rolled.method.truncate}
        yield ""
        if rolled.method.truncate:
            yield _(
                "%(plies)s-ply games of %(truncate)s rolls, then judged, on the same dice, luck subtracted; after ± the standard error.",
                **values,
            )
        else:
            yield _(
                "%(plies)s-ply games to the end on the same dice, luck subtracted; after ± the standard error.",
                **values,
            )
    net = found.net if isinstance(found, PositionAnswer) else report.net if report else ""
    yield ""
    yield _("Analysed by Barpoint, net %(net)s.", net=net) if net else _("Analysed by Barpoint.")


# -- numbers


def _signed(value: float) -> str:
    return number(value, 3, sign=True)


def _with_error(equity: float, error: float | None) -> str:
    return f"{_signed(equity)} ± {number(error, 3)}" if error else f"{_signed(equity):>6}"


def _chances_text(chances: tuple[float, ...], player: int) -> str:
    """The chances of both sides. chances: of this player, as `PlayAnswer` has them."""
    sides = side_letter(player), side_letter(1 - player)
    if len(chances) == 3:
        win, won, lost = chances
        told = ((sides[0], win, won), (sides[1], 1 - win, lost))
        texts = [
            _("%(side)s wins %(win)s, %(points)s points", side=side, win=percent(share, 1), points=number(points, 2))
            for side, share, points in told
        ]
        return "; ".join(texts)
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    both = ((sides[0], win, gammon, backgammon), (sides[1], 1 - win, lost_gammon, lost_backgammon))
    return "; ".join(
        _(
            "%(side)s wins %(win)s (gammons %(gammon)s, backgammons %(backgammon)s)",
            side=side,
            win=percent(wins, 1),
            gammon=percent(gammons, 1),
            backgammon=percent(backgammons, 1),
        )
        for side, wins, gammons, backgammons in both
    )


def _few_chances_text(cube: CubeEquities, player: int) -> str:
    """What a report keeps of the chances of whoever may double."""
    if cube.gammon is None:
        return _("%(side)s wins %(win)s", side=side_letter(player), win=percent(cube.win, 1))
    return _(
        "%(side)s wins %(win)s (gammons %(gammon)s)",
        side=side_letter(player),
        win=percent(cube.win, 1),
        gammon=percent(cube.gammon, 1),
    )
