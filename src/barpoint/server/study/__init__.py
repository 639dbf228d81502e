"""Analyses, reviews, replays and quizzes of finished matches."""
