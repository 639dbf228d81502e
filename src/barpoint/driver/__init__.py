"""Plays games and matches: rolls the dice and asks the players. Below this folder nothing rolls dice."""

from barpoint.driver.batch import CallPolicy, GamesBatch, Policy, play_batch, random_policy
from barpoint.driver.match_driver import Player, check_player, next_event, play, play_match

__all__ = [
    "CallPolicy",
    "GamesBatch",
    "Player",
    "Policy",
    "check_player",
    "next_event",
    "play",
    "play_batch",
    "play_match",
    "random_policy",
]
