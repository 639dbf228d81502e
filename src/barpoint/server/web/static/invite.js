// The Share button beside an invitation, in browsers that can hand a link to other apps.

import { find } from "./dom.js";

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
