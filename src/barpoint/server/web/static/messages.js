// What somebody writes while their messages are open: read out, and told to the server as read once the page is in sight.

import { setText } from "./dom.js";

const part = document.querySelector("[data-live]");
const said = document.getElementById("message-said");
/** The latest message that was read out, and the latest one told as read. */
let spoken = 0;
let told = 0;

function look() {
  const last = [...(part?.querySelectorAll("[data-unread]") ?? [])].at(-1);
  if (!(last instanceof HTMLElement) || document.visibilityState !== "visible") return;
  const id = Number(last.dataset.unread);
  if (said && id > spoken) setText(said, last.textContent);
  spoken = Math.max(spoken, id);
  if (id <= told) return;
  told = id;
  void fetch(`${location.pathname}/read`, { method: "POST", body: new URLSearchParams({ last: String(id) }) }).catch(() => (told = 0));
}

if (part) new MutationObserver(look).observe(part, { childList: true, subtree: true });
document.addEventListener("visibilitychange", look);
