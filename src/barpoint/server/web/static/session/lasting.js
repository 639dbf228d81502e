// What a page says for as long as it is shown, in a strip above everything that stays in sight.

import { _ } from "../board/language.js";
import { element, find } from "../dom.js";

/** @param {string} text  "" takes the strip away @param {{path: string, text: string}} [link]  to what can be done about it */
export function showLasting(text, link) {
  const shown = document.getElementById("lasting");
  if (!text) shown?.remove();
  if (!text || shown?.dataset.text === text) return;
  shown?.remove();
  const parts = [element("span", {}, [text]), ...(link ? [" ", element("a", { href: link.path }, [link.text])] : [])];
  find("main").before(element("p", { class: "lasting", id: "lasting", role: "alert", "data-text": text }, parts));
}

/** Says, where somebody played, whether this browser is logged out: it then only watches. @param {boolean} out */
export function showLoggedOut(out) {
  const path = `/login?back=${encodeURIComponent(location.pathname)}`;
  showLasting(out ? _("You are logged out here.") : "", { path, text: _("Log in") });
}
