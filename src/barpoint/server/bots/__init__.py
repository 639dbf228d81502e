"""The engines that play as bots; they depend neither on live matches nor on storage."""
