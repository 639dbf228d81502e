// Runs before anything is drawn: sets the scheme, the board's colours, what is hidden and where letters count, as the account or else this browser keeps them.
try {
  const { dataset } = document.documentElement;
  const kept = JSON.parse(dataset.settings || localStorage.getItem("barpoint") || "null") ?? {};
  if (kept.scheme) dataset.scheme = kept.scheme;
  if (kept.board) dataset.board = kept.board;
  if (kept.letters === false) dataset.letters = "board";
  dataset.hides = ["ratings", "chat"].filter((name) => kept[name] === false).join(" ");
} catch {
  // storage is closed or holds something else: the system's scheme holds
}
