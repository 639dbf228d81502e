// Beside an invitation: the name of a guest, which is kept at once.

import { _ } from "./board/language.js";
import { toast } from "./notes.js";

const naming = document.getElementById("own-name");
if (naming instanceof HTMLFormElement) {
  let kept = "";
  naming.addEventListener("change", () => naming.requestSubmit());
  naming.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = new URLSearchParams([...new FormData(naming)].map(([name, value]) => [name, String(value)]));
    if (String(body) === kept) return; // Enter changes the field, and sends the form
    kept = String(body);
    const answer = await fetch(naming.action, { method: "POST", body, redirect: "manual" }).catch(() => null);
    const saved = answer?.type === "opaqueredirect";
    if (!saved) kept = "";
    toast(saved ? _("Saved.") : _("Not saved. Try again."), "status");
  });
}
