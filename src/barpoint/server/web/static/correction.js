// The page on which a match is corrected: the first line that is not possible is selected, and lines that were changed are not lost unasked.

const lines = document.getElementById("lines");
if (lines instanceof HTMLTextAreaElement && lines.dataset.wrong) {
  const texts = lines.value.split("\n"), wrong = Number(lines.dataset.wrong);
  const start = texts.slice(0, wrong).reduce((sum, { length }) => sum + length + 1, 0);
  lines.focus({ preventScroll: true }); // the board and what is wrong stand above
  lines.setSelectionRange(start, start + (texts[wrong]?.length ?? 0));
  lines.scrollTop = Math.max(0, wrong - 4) * (lines.scrollHeight / texts.length);
}

let sent = false;
document.addEventListener("submit", () => (sent = true));
addEventListener("beforeunload", (event) => {
  if (!sent && lines instanceof HTMLTextAreaElement && lines.value !== lines.defaultValue) event.preventDefault();
});
