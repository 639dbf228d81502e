"""The engines that can be seated; they know neither live matches nor storage."""
