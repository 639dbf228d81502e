"""What the program that wrote a match file says of its decisions, beside what our own analysis finds."""

from __future__ import annotations

from collections.abc import Iterator

from barpoint.analysis.findings import Decision, Findings, OtherFindings, OtherOption, OtherVerdict
from barpoint.analysis.judge import SAME
from barpoint.analysis.words import CUBE_ACTIONS, choice_text
from barpoint.board import Position
from barpoint.engine import CubeInfo
from barpoint.engine.cube_info import can_double, cube_action, cube_info_of, cube_info_of_situation
from barpoint.error import BarpointError
from barpoint.game import Beaver, Double, Event, Pass, PlayMade, Roll, Take, kind_of
from barpoint.game.allowed import doubling_barred, raising_barred
from barpoint.game.event import position_of
from barpoint.game.manual import carry, hand_moves_of
from barpoint.language import _, number
from barpoint.match import Match
from barpoint.match.situation import Offer
from barpoint.moves import legal_plays
from barpoint.record import Book
from barpoint.record.annotation import AnnotatedPosition, EvaluatedCube, EvaluatedPlay
from barpoint.rules import Rules


def other_findings(book: Book) -> OtherFindings | None:
    """What the file of a match says of its decisions; None where it says nothing of any."""
    verdicts = tuple(_verdicts(book)) if book.annotations else ()
    return OtherFindings(book.program, verdicts) if verdicts else None


def verdict_on(what: AnnotatedPosition, rules: Rules) -> OtherVerdict | None:
    """What a text or file says of the decision in its position; None where it says nothing of it, or nothing that these rules allow."""
    said, note = what.situation, what.annotation
    info = cube_info_of_situation(said, rules)
    try:
        if said.dice:
            options, _results = _options(rules, said.position, said.dice, info, note.plays)
            return OtherVerdict(0, "play", options) if options else None
        if note.cube is None or not can_double(rules.cube, info):
            return None
    except BarpointError:
        return None
    if said.offer not in (Offer.NONE, Offer.DOUBLE):  # whoever answers a beaver or a raccoon sees other equities
        return None
    answering = said.offer is Offer.DOUBLE
    for equities in _equities(note.cube, info):
        found = _answers(equities, beaver=said.beavers) if answering else _doubles(equities)
        return _cube_verdict("take" if answering else "no double", 0, found, None, note.cube.level, equities)
    return None


def lines_on(what: AnnotatedPosition, rules: Rules, most: int) -> tuple[str, ...]:
    """What a text or file says of the decision in its position: the best choice in a line, and the equities by which it judged. most: plays that are listed."""
    one = verdict_on(what, rules)
    if one is None:
        return ()
    best = choice_text(one.best.text) or _("no play")
    if one.kind == "no double":  # who asks about a position wants to know the answer, too
        stay, take, drop = one.cube
        action = cube_action(stay, take, drop, cube_info_of_situation(what.situation, rules), beaver=False)
        best = _(CUBE_ACTIONS[action])
    by = _by(what.program, one)
    return (f"{by}: {best}" if by else best), equities_text(one, most)


def disputed(report: Findings) -> tuple[tuple[Decision, OtherVerdict], ...]:
    """The decisions of which the other program calls best what loses something by ours, in the order of the match."""
    if not report.other:
        return ()
    said = {(one.event, one.kind): one for one in report.other.verdicts}
    pairs = ((one, said.get((one.event, one.kind))) for one in report.decisions)
    return tuple((one, other) for one, other in pairs if other is not None and not _agree(one, other))


def _agree(one: Decision, other: OtherVerdict) -> bool:
    return any(option.text == other.best.text and option.loss < SAME for option in one.options)


def verdict_text(program: str, one: OtherVerdict) -> str:
    """The verdict in a line: "eXtreme Gammon, 3-ply: 13/8 6/5, error 0.023"."""
    by = _by(program, one)
    best = choice_text(one.best.text) or _("no play")
    if one.loss:
        return _("%(by)s: %(best)s, error %(loss)s", by=by, best=best, loss=number(one.loss, 3))
    return f"{by}: {best}" if by else best


def _by(program: str, one: OtherVerdict) -> str:
    return ", ".join(filter(None, (program, one.best.level)))


def equities_text(one: OtherVerdict, most: int) -> str:
    """The equities by which it judged. most: plays that are listed, besides the one that was made."""
    if one.cube:
        stay, take, drop = (number(equity, 3, sign=True) for equity in one.cube)
        return _("no double %(stay)s, take %(take)s, pass %(drop)s", stay=stay, take=take, drop=drop)
    shown = (option for at, option in enumerate(one.options) if at < most or at == one.chosen)
    return "; ".join(_option_text(option, one.best.level) for option in shown)


def _option_text(option: OtherOption, level: str) -> str:
    text = " ".join((option.text or _("no play"), number(option.equity, 3, sign=True)))
    return text if option.level == level else f"{text}, {option.level}"


def _verdicts(book: Book) -> Iterator[OtherVerdict]:
    """The verdicts in the order of the match. That nobody doubled stands at the roll, as in our reports; in files it stands at the play."""
    rolled: tuple[int, Match] | None = None
    doubled: tuple[EvaluatedCube, Match] | None = None
    last = max(book.annotations)
    for seq, (before, event) in enumerate(book.match.history(), start=1):
        if seq > last + 1:  # the answer to a double that is judged stands behind it
            return
        note = book.annotations.get(seq)
        cube = None if note is None else note.cube
        match event:
            case Roll(player):
                rolled = None if doubling_barred(before.game, player) else (seq, before)
            case PlayMade():
                if cube is not None and rolled is not None:
                    yield from _of_double(cube, *rolled, doubled=False)
                if note is not None and note.plays:
                    yield from _of_play(note.plays, seq, before, event)
                rolled = None
            case Double():
                doubled = None if cube is None else (cube, before)
                if cube is not None:
                    yield from _of_double(cube, seq, before, doubled=True)
            case Take() | Pass() | Beaver():
                if doubled is not None:
                    yield from _of_answer(*doubled, seq, before, event)
                doubled = None
            case _:
                pass


def _of_play(plays: tuple[EvaluatedPlay, ...], seq: int, before: Match, event: PlayMade) -> Iterator[OtherVerdict]:
    """The verdict on a play, in our notation; none where today's rules do not allow what was made."""
    if event.position is None or event.illegal:
        return
    game = before.game
    info = cube_info_of(before, game.player)
    options, results = _options(game.rules, game.position, game.faces, info, plays)
    made = position_of(event.position)
    if options:
        yield OtherVerdict(seq, "play", options, results.index(made) if made in results else None)


def _options(
    rules: Rules, position: Position, faces: tuple[int, ...], info: CubeInfo, plays: tuple[EvaluatedPlay, ...]
) -> tuple[tuple[OtherOption, ...], list[Position | None]]:
    """Plays of a roll in our notation, and the position after each; None for one that hands cannot make. Chances to win a match are
    left out where there is none.
    """
    names = {play.result: str(play) for play in legal_plays(rules, position, faces)}
    options, results = list[OtherOption](), list[Position | None]()
    for play in plays:
        if play.mwc and info.score is None:
            continue
        try:
            equity = info.to_equity(play.equity) if play.mwc else play.equity
        except BarpointError:  # a game that decides nothing
            continue
        result = _result(rules, position, play)
        results.append(result)
        text = play.text if result is None else names.get(result, play.text)
        options.append(OtherOption(text, round(equity, 5), play.level))
    return tuple(options), results


def _result(rules: Rules, position: Position, play: EvaluatedPlay) -> Position | None:
    """The position after a play of the file; None for one that hands cannot make."""
    try:
        return carry(rules, position, hand_moves_of(play.steps))
    except BarpointError:
        return None


def _of_double(cube: EvaluatedCube, seq: int, before: Match, doubled: bool) -> Iterator[OtherVerdict]:
    for equities in _equities(cube, cube_info_of(before, before.game.player)):
        kind = "double" if doubled else "no double"
        yield _cube_verdict(kind, seq, _doubles(equities), int(doubled), cube.level, equities)


def _of_answer(cube: EvaluatedCube, offered: Match, seq: int, before: Match, event: Event) -> Iterator[OtherVerdict]:
    """The verdict on the answer to a double. offered: before the double."""
    for equities in _equities(cube, cube_info_of(offered, offered.game.player)):
        found = _answers(equities, beaver=not raising_barred(before.game))
        done = {"take": 0, "pass": 1}.get(kind_of(event), 2)
        yield _cube_verdict(kind_of(event), seq, found, done, cube.level, equities)


def _doubles(equities: tuple[float, float, float]) -> tuple[tuple[str, float], ...]:
    stay, take, drop = equities
    return ("No double", stay), ("Double", min(take, drop))


def _answers(equities: tuple[float, float, float], *, beaver: bool) -> tuple[tuple[str, float], ...]:
    """The answers to a double, as whoever answers sees them."""
    _stay, take, drop = equities
    return (("Take", -take), ("Pass", -drop), *((("Beaver", -2 * take),) if beaver else ()))


def _cube_verdict(
    kind: str,
    seq: int,
    found: tuple[tuple[str, float], ...],
    done: int | None,
    level: str,
    equities: tuple[float, float, float],
) -> OtherVerdict:
    """The verdict on what was done, the index of which in what was found is given; None where nothing was."""
    made = None if done is None else found[done]
    ordered = sorted(found, key=lambda one: (-one[1], one != made))
    options = tuple(OtherOption(text, round(equity, 5), level) for text, equity in ordered)
    return OtherVerdict(seq, kind, options, None if made is None else ordered.index(made), equities)


def _equities(cube: EvaluatedCube, info: CubeInfo) -> Iterator[tuple[float, float, float]]:
    """No double, take and pass for whoever may double, normalised; nothing where a game decides nothing, and of chances to
    win a match where there is none. info: of the doubler, before the double.
    """
    stay, take, drop = cube.no_double, cube.take, 1.0 if cube.drop is None or cube.mwc else cube.drop
    if cube.mwc:
        if info.score is None:
            return
        try:
            stay, take = info.to_equity(stay), info.to_equity(take)
        except BarpointError:
            return
    yield round(stay, 5), round(take, 5), round(drop, 5)
