// Beside an invitation: the Share button, in browsers that can hand a link to other apps, and the name of a guest, which is kept at once.

import { _ } from "./board/language.js";
import { find } from "./dom.js";
import { toast } from "./notes.js";

const button = find("share", HTMLButtonElement);
const url = find("invitation", HTMLInputElement).value;

if (typeof navigator.share === "function") {
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.share({ title: "Barpoint", text: button.dataset.text ?? "", url });
    } catch {
      // the person changed their mind, and the link is still there to copy
    }
  });
}

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
