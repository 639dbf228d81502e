// Runs before anything is drawn: sets the light or dark scheme and the board's colours that this browser keeps.
try {
  const kept = JSON.parse(localStorage.getItem("barpoint") ?? "{}");
  if (kept.scheme) document.documentElement.dataset.scheme = kept.scheme;
  if (kept.board) document.documentElement.dataset.board = kept.board;
} catch {
  // storage is closed or holds something else: the system's scheme holds
}
