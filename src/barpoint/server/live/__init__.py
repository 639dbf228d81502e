"""What is in progress: matches, chouettes and tournaments on event logs, the lobby, bots, schedules, notifications."""
