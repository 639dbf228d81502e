"""Analyses in texts of eXtreme Gammon and GNU Backgammon, in several languages, beside the position that they are about."""

from __future__ import annotations

import pytest

from barpoint.error import FormatError
from barpoint.record import parse_id
from barpoint.record.annotation import MAX_COMMENT, AnnotatedPosition, Annotation, EvaluatedCube, EvaluatedPlay
from barpoint.record.text_annotations import format_annotated, parse_annotated

ROLLED = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
TO_DOUBLE = "XGID=---BADB------------bf---a-:1:1:1:00:4:0:0:7:10"

PLAYS = """{xgid}

X:Anna   O:Ben
    1. XG Roller++ 8/5 6/5                      {eq}:+0.159
      {player}:   55.10% (G:16.90% B:1.30%)
      {other}: 44.90% (G:12.40% B:0.50%)

    2. 3-{ply}       Bar/22* 13/11(2)            {eq}:-0.010 (-0.169)
      {player}:   49.40% (G:14.00% B:0.80%)
      {other}: 50.60% (G:13.40% B:0.50%)

    3. Rollout¹    24/20*/16 13/off                    {eq}:-0.100 (-0.259)

eXtreme Gammon Version: 2.10, MET: Kazaross XG2
"""
CHANCES = (0.551, 0.169, 0.013, 0.124, 0.005)
FOUND = (
    EvaluatedPlay(((8, 5), (6, 5)), 0.159, CHANCES, "XG Roller++"),
    EvaluatedPlay(((25, 22), (13, 11), (13, 11)), -0.01, (0.494, 0.14, 0.008, 0.134, 0.005), "3-ply"),
    EvaluatedPlay(((24, 20), (20, 16), (13, 0)), -0.1, (), "rollout"),
)
LANGUAGES = (
    {"eq": "eq", "player": "Player", "other": "Opponent", "ply": "ply"},
    {"eq": "éq", "player": "Joueur", "other": "Adversaire", "ply": "plis"},
    {"eq": "eq", "player": "プレーヤー", "other": "対戦相手", "ply": "ply"},
)
CUBE = """{xgid}
Analyzed in XG Roller++
Player Winning Chances:   71.13% (G:0.00% B:0.00%)
Opponent Winning Chances: 28.87% (G:0.00% B:0.00%)

Cubeless Equities: No Double=+0.423, Double=+0.602

Cubeful Equities:
       {names[0]}:     +0.485
       {names[1]}:   -0.511 (-0.997)
       {names[2]}:   +1.000 (+0.515)

Best Cube action: No redouble / Take
Percentage of wrong pass needed to make the double decision right: 39.7%
"""
GNU_PLAYS = """ GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : cInFAAAAAAAA
*   1. Cubeful 2-ply    8/5 6/5                      Eq.:  {best}
       0.551 0.169 0.013 - 0.449 0.124 0.005
        2-ply cubeful prune [world class]
    2. Cubeful 0-ply    24/23 13/10                  Eq.: {second} (-0.169)
"""
GNU_CUBE = """Position ID: 4HPwATDgc/ABMA Match ID: cAkAAAAAAAAA
Cube analysis
2-ply cubeless equity +0.012
  0.526 0.147 0.008 - 0.474 0.129 0.006
Cubeful equities:
{rows}
Proper cube action: No double, beaver (23.6%)
"""


@pytest.mark.parametrize("words", LANGUAGES)
@pytest.mark.parametrize("mark", ["", "> ", "\t"])
def test_plays_of_extreme_gammon_are_read_in_any_language_and_as_mails_quote_them(
    words: dict[str, str], mark: str
) -> None:
    text = "\n".join(mark + line for line in PLAYS.format(xgid=ROLLED, **words).splitlines())
    found = parse_annotated(text)
    assert (found.annotation.plays, found.annotation.cube, found.program) == (FOUND, None, "eXtreme Gammon")
    assert found.situation.dice == (3, 1)


@pytest.mark.parametrize(
    "names", [("No redouble", "Redouble/Take", "Redouble/Pass"), ("ノーリダブル", "リダブル/テイク", "リダブル/パス")]
)
def test_the_equities_of_a_double_are_read_by_their_order(names: tuple[str, str, str]) -> None:
    found = parse_annotated(CUBE.format(xgid=TO_DOUBLE, names=names))
    expected = EvaluatedCube(0.485, -0.511, 1.0, chances=(0.7113, 0.0, 0.0, 0.0, 0.0), level="XG Roller++")
    assert (found.annotation.cube, found.annotation.plays) == (expected, ())


def test_plays_of_gnu_backgammon_are_read_with_points_and_commas() -> None:
    for best, second in (("+0.159", "-0.010"), ("+0,159", "-0,010")):
        found = parse_annotated(GNU_PLAYS.format(best=best, second=second))
        assert found.program == "GNU Backgammon"
        assert found.annotation.plays == (
            EvaluatedPlay(((8, 5), (6, 5)), 0.159, CHANCES, "2-ply"),
            EvaluatedPlay(((24, 23), (13, 10)), -0.01, (), "0-ply"),
        )


def test_chances_to_win_the_match_are_kept_as_such() -> None:
    found = parse_annotated(GNU_PLAYS.format(best="51.23%", second="49.10%")).annotation.plays
    assert [(one.equity, one.mwc) for one in found] == [(0.5123, True), (0.491, True)]
    rows = "1. No double            51.23%\n2. Double, pass        61.00%  (+9.77%)\n3. Double, take        48.00%  (-3.23%)"
    cube = parse_annotated(GNU_CUBE.format(rows=rows)).annotation.cube
    assert cube is not None
    assert (cube.no_double, cube.take, cube.drop, cube.mwc) == (0.5123, 0.48, 0.61, True)


def test_ranked_rows_of_gnu_backgammon_are_read_by_their_names() -> None:
    rows = "1. Double, pass        +1.000\n2. Double, take        +1.200  (+0.200)\n3. No double           +0.622  (-0.378)"
    cube = parse_annotated(GNU_CUBE.format(rows=rows)).annotation.cube
    assert cube == EvaluatedCube(0.622, 1.2, 1.0, False, (0.526, 0.147, 0.008, 0.129, 0.006), "2-ply")


@pytest.mark.parametrize(
    "below",
    [
        "",
        "    1. 4-ply       no such thing 1    eq:+0.1",
        "    1. no such thing    eq:+0.1",
        "    1. 4-ply       8/9 6/5    eq:+0.159",
        "    1. 4-ply       8/5 6/5    eq:+0.159x",
        "    1. 8/5 6/5 and more    eq:+0.159",
        "No double: +0.1\nTake: +0.2",
    ],
)
def test_what_is_no_analysis_leaves_the_position_alone(below: str) -> None:
    found = parse_annotated(f"{ROLLED}\n{below}\n")
    assert found == AnnotatedPosition(found.situation)


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("    1. 4-ply        Cannot move                  eq:-0.491", "4-ply"),
        ("    1. XG Roller+   Ne peut pas jouer            éq:-0.491", "XG Roller+"),
        ("    1. Rollout¹     Kann nicht ziehen            eq:-0,491", "rollout"),
        ("    1. Cubeful 2-ply    cannot move              Eq.: -0.491", "2-ply"),
        ("    1. Cannot move                               eq:-0.491", ""),
    ],
)
def test_a_play_that_moves_nothing_is_read_by_the_words_behind_its_level(line: str, level: str) -> None:
    found = parse_annotated(f"{ROLLED}\n{line}\n")
    assert found.annotation.plays == (EvaluatedPlay((), -0.491, (), level),)
    assert "Cannot move eq: -0.49100" in format_annotated(found)
    assert parse_annotated(format_annotated(found)).annotation == found.annotation


def test_plays_of_no_roll_and_doubles_after_a_roll_are_left_out() -> None:
    assert not parse_annotated(PLAYS.format(xgid=TO_DOUBLE, **LANGUAGES[0])).annotation
    assert not parse_annotated(CUBE.format(xgid=ROLLED, names="abc")).annotation


def test_a_text_without_a_position_is_refused() -> None:
    with pytest.raises(FormatError, match="in no notation of positions"):
        parse_annotated("    1. 4-ply       8/5 6/5    eq:+0.159")


@pytest.mark.parametrize(
    "note",
    [
        Annotation(plays=FOUND),
        Annotation(
            plays=(
                EvaluatedPlay((), 0.5, CHANCES, "opening book"),
                EvaluatedPlay((), 0.5, (), "XG Roller++"),
                EvaluatedPlay((), 0.5),
                EvaluatedPlay(((8, 5),), 0.25, (), "3-ply red", mwc=True),
            )
        ),
        Annotation(),
        Annotation("Which play?", plays=FOUND),
        Annotation(
            'Not "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10", 1.\n1. 3-ply 8/5 6/5 eq: +0.5\n\ttwo：+1\u2028%3A'
        ),
    ],
)
def test_an_analysis_comes_back_from_the_text_that_is_written(note: Annotation) -> None:
    situation = parse_annotated(ROLLED).situation
    what = AnnotatedPosition(situation, note, "eXtreme Gammon" if note else "")
    assert parse_annotated(format_annotated(what)) == what


def test_the_comment_of_a_text_changes_nothing_of_the_position_that_other_readers_find_there() -> None:
    what = AnnotatedPosition(parse_annotated(ROLLED).situation, Annotation(f"as {TO_DOUBLE} and 4HPwATDgc/ABMA"))
    text = format_annotated(what)
    assert parse_id(text) == what.situation
    assert parse_annotated(text.replace("\n", "\r\n")) == what


@pytest.mark.parametrize(
    ("line", "comment"),
    [
        ('"half a sign \\ud800, a \\u0000"', "half a sign , a "),
        (f'"{"a" * 5_000}"', "a" * MAX_COMMENT),
        ('"open', ""),
        ('"one" "two"', ""),
        ('["one"]', ""),
        ("[" * 50_000, ""),
    ],
)
def test_a_comment_that_was_written_otherwise_is_cleaned_or_left_out(line: str, comment: str) -> None:
    assert parse_annotated(f"{ROLLED}\nComment {line}\n").annotation.comment == comment


@pytest.mark.parametrize("mwc", [False, True])
def test_a_double_comes_back_from_the_text_that_is_written(mwc: bool) -> None:
    cube = EvaluatedCube(0.125, 0.25, 0.5, mwc, CHANCES, "4-ply")
    what = AnnotatedPosition(parse_annotated(TO_DOUBLE).situation, Annotation(cube=cube), "GNU Backgammon")
    assert parse_annotated(format_annotated(what)) == what
