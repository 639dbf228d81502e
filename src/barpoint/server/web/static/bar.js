// What every page does: it starts the service worker, shows times as they are here, and the settings where the bar has a button for them.

/** @import {BarpointBoard} from "./board/board.js" */
import { findIn, localise } from "./dom.js";
import { tieSettings } from "./settings.js";

localise();

const opener = document.getElementById("open-page-settings");
const dialog = document.getElementById("page-settings");

if (opener && dialog instanceof HTMLDialogElement) {
  // Boards of the page listen for the event; colours and scheme are applied at once.
  tieSettings(findIn(dialog, "form:not([method])"), (settings) => {
    if (settings.notify && "Notification" in window) void Notification.requestPermission();
    document.dispatchEvent(new CustomEvent("settings", { detail: settings }));
  });
  const keys = findIn(dialog, "[data-keys]", HTMLButtonElement);
  /** The board that is played by keyboard, if there is one. */
  const board = () => /** @type {BarpointBoard[]} */ ([...document.querySelectorAll("bg-board")]).find((one) => one.turn && one.options.keys);
  keys.addEventListener("click", () => board()?.showKeys());
  opener.hidden = false;
  opener.addEventListener("click", () => {
    const menu = document.getElementById("pages");
    if (menu?.matches(":popover-open")) menu.hidePopover();
    findIn(dialog, "p:has([data-keys])").hidden = !board();
    dialog.showModal();
  });
}

// Without https, or in a browser that keeps nothing, there is no page for being off line; everything else works.
if ("serviceWorker" in navigator) void navigator.serviceWorker.register("/worker.js").catch(() => undefined);
