// A dialog that closes when somebody presses beside it.

/** Closes a dialog by a click beside it: one that began in it, as a selection of text does, leaves it open. @param {HTMLDialogElement} dialog */
export function closeFromBeside(dialog) {
  let beside = false;
  dialog.addEventListener("pointerdown", ({ target }) => (beside = target === dialog));
  dialog.addEventListener("click", ({ target }) => {
    if (beside && target === dialog) dialog.close();
    beside = false;
  });
}
