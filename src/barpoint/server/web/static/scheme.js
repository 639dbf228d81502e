// Before anything is drawn: the light and the board colours that this browser was told to keep.
try {
  const kept = JSON.parse(localStorage.getItem("barpoint") ?? "{}");
  if (kept.scheme) document.documentElement.dataset.scheme = kept.scheme;
  if (kept.board) document.documentElement.dataset.board = kept.board;
} catch {
  // storage is closed or holds something else: the system's light it is
}
