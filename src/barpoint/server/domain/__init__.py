"""Values and rules of the server without I/O: accounts, match headers, time control, ratings, tournaments, dice."""
