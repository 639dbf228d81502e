// The board in a cell of a notebook. The kernel knows the rules: it sends views, and is told what was done and tried.

import "../server/web/static/board/board.js";

/** @typedef {{get: (name: string) => any, on: (what: string, then: () => void) => void, off: (what: string, then: () => void) => void, send: (message: object) => void}} Model */

export default {
  /** @param {{model: Model, el: HTMLElement}} cell */
  render({ model, el }) {
    const board = /** @type {import("../server/web/static/board/board.js").BarpointBoard} */ (document.createElement("bg-board"));
    const show = () => board.set(JSON.parse(model.get("view")));
    const choose = () => { board.options = { keys: false, ...model.get("options") }; };
    el.dataset.lmSuppressShortcuts = "true"; // JupyterLab: keys here are the board's, not the notebook's
    el.addEventListener("keydown", (event) => event.stopPropagation());
    board.addEventListener("bg-event", (event) => model.send({ done: /** @type {CustomEvent} */ (event).detail }));
    board.addEventListener("bg-draft", (event) => model.send({ tried: /** @type {CustomEvent} */ (event).detail.moves }));
    model.on("change:view", show);
    model.on("change:options", choose);
    el.append(board);
    choose();
    show();
    return () => {
      model.off("change:view", show);
      model.off("change:options", choose);
    };
  },
};
