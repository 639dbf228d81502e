// What stands around the board: names, pips, score and tokens, the line that says what is asked, the buttons, the command
// box, and the two questions (which way to move, how much to resign).

/** @import {Side, View, Move} from "./types.js" */
/** @import {Action, Resignation} from "./actions.js" */
import { closeFromBeside } from "./beside.js";
import { drawToken } from "./dice.js";
import { keyOf } from "./key.js";
import { _, number } from "./language.js";
import { runText } from "./move_text.js";
import { html, svg } from "./svg.js";

/** Whether anything about an element changed; what did not is left alone, so that the focus stays. @param {Element} element @param {unknown} state */
function changed(element, state) {
  const key = keyOf(state);
  if (element.getAttribute("data-state") === key) return false;
  element.setAttribute("data-state", key);
  return true;
}

/**
 * @param {HTMLElement} plate @param {View} view @param {Side} side @param {number | null} pips  null: not shown
 * @param {"light" | "dark"} shade @param {HTMLElement} row  what the page adds
 */
export function drawPlate(plate, view, side, pips, shade, row) {
  const { labels, score, tokens, to_act: turn } = view;
  const short = side === "near" ? labels.near_short : labels.far_short;
  if (!changed(plate, [labels[side], short, pips, score, tokens?.[side], turn === side, shade])) return;
  const away = score.length ? `${score[side]}/${score.length}` : number(score[side]);
  const who = [
    html("span", { class: `bg-shade bg-${shade}`, role: "img", "aria-label": shade === "light" ? _("light checkers") : _("dark checkers") }),
    html("span", { class: "bg-name", title: labels[side] }, short ? [html("span", { class: "bg-full" }, [labels[side]]), html("span", { class: "bg-short", "aria-hidden": "true" }, [short])] : [labels[side]]),
    row,
  ];
  const parts = [
    html("span", { class: "bg-score", title: score.length ? _("points of the match") : _("points won") }, [away]),
  ];
  const about = side === "near" ? [score.game, score.crawford ? "Crawford" : ""] : [];
  for (const word of about) if (word) parts.push(html("span", { class: "bg-about" }, [word]));
  if (pips !== null) parts.push(html("span", { class: "bg-pips", title: _("pips to go") }, [String(pips), html("small", {}, [` ${_("pips")}`])]));
  if (tokens) {
    const words = tokens[side] ? _("reroll token, not used yet") : _("reroll token used");
    parts.push(drawToken(Boolean(tokens[side]), `${labels[side]}: ${words}`));
  }
  plate.classList.toggle("bg-turn", turn === side);
  plate.replaceChildren(html("span", { class: "bg-who" }, who), ...parts);
}

/**
 * A button that stays is changed in place: one that is being pressed while news comes keeps its click, and its focus.
 * @param {HTMLElement} bar @param {Action[]} actions @param {(action: Action) => void} press
 */
export function drawActions(bar, actions, press) {
  const shown = [...bar.querySelectorAll("button")];
  const buttons = actions.map((action) => {
    const index = shown.findIndex((button) => button.dataset.kind === action.kind);
    const [button] = index < 0 ? [html("button", { type: "button", "data-kind": action.kind })] : shown.splice(index, 1);
    drawAction(button, action);
    button.onclick = () => press(action);
    return button;
  });
  for (const button of shown) button.remove();
  buttons.forEach((button, index) => bar.children[index] === button || bar.insertBefore(button, bar.children[index] ?? null));
}

/** @param {HTMLButtonElement} button @param {Action} action */
function drawAction(button, action) {
  const { label, detail, key, primary, reason, icon } = action;
  if (!changed(button, [label, detail, key, primary, reason])) return;
  button.className = `bg-button${primary ? " bg-primary" : ""}${icon ? " bg-icon" : ""}`;
  if (icon) button.setAttribute("aria-label", label);
  const shown = icon ? svg("svg", { viewBox: "0 0 24 24", width: 22, height: 22, "aria-hidden": "true" }, [svg("path", { d: icon })]) : html("span", { class: "bg-label" }, [label]);
  button.replaceChildren(shown, ...(detail ? [html("span", { class: "bg-detail" }, [detail])] : []));
  button.title = reason || (key ? `${label} (${key})` : label);
  if (key) button.setAttribute("aria-keyshortcuts", key);
  if (reason) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}

/**
 * Asks which way a checker shall go where the ways differ in what they hit.
 * @param {HTMLElement} host @param {Move[][]} choices @param {(moves: Move[] | null) => void} answer
 */
export function askWay(host, choices, answer) {
  const names = choices.map((moves) => [moves[0][0], ...moves.map((move) => move[1])]);
  const dialog = makeDialog(_("Which way?"), () => answer(null));
  const buttons = choices.map((moves, index) => {
    const [from, ...touched] = names[index];
    const text = [runText([[from, touched[0], 0]]), ...touched.slice(1)].join("/");
    const button = html("button", { type: "button", class: "bg-button" }, [`${text}, ${moves.map((move) => move[2]).join(` ${_("then")} `)}`]);
    button.onclick = () => {
      dialog.close("chosen");
      answer(moves);
    };
    return button;
  });
  dialog.append(html("div", { class: "bg-answers" }, buttons));
  openDialog(host, dialog);
}

/**
 * Asks how much is resigned. The button that resigns nothing has the focus: a key that was meant for the board costs no game.
 * @param {HTMLElement} host @param {Resignation[]} levels @param {(level: number) => void} answer
 */
export function askResignation(host, levels, answer) {
  const dialog = makeDialog(_("Resign this game?"), () => {});
  const buttons = levels.map(({ level, name, cost }) => {
    const button = html("button", { type: "button", class: "bg-button bg-danger", "data-level": level }, [
      html("span", { class: "bg-label" }, [name]), html("span", { class: "bg-detail" }, [_("lose %(points)s", { points: cost })]),
    ]);
    button.onclick = () => {
      dialog.close("chosen");
      answer(level);
    };
    return button;
  });
  const back = html("button", { type: "button", class: "bg-button", autofocus: "" }, [_("Play on")]);
  back.onclick = () => dialog.close();
  dialog.append(html("div", { class: "bg-answers bg-column" }, [...buttons, back]));
  openDialog(host, dialog);
}

/**
 * Asks whether something is meant that cannot be undone. @param {HTMLElement} host
 * @param {{question: string, answer: string, otherwise: string}} sure @param {() => void} act
 */
export function askSure(host, { question, answer, otherwise }, act) {
  const dialog = makeDialog(question, () => {});
  dialog.append(html("div", { class: "bg-answers bg-column" }, sureButtons(dialog, answer, otherwise, act)));
  openDialog(host, dialog);
}

/** The button that does what costs something, and the one that goes back. @param {HTMLDialogElement} dialog
 * @param {string} answer @param {string} otherwise @param {() => void} act */
function sureButtons(dialog, answer, otherwise, act) {
  const sure = html("button", { type: "button", class: "bg-button bg-danger" }, [answer]);
  sure.onclick = () => {
    dialog.close("chosen");
    act();
  };
  const back = html("button", { type: "button", class: "bg-button" }, [otherwise]);
  back.onclick = () => dialog.close();
  return [sure, back];
}

/** @param {string} title @param {() => void} cancelled */
export function makeDialog(title, cancelled) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const dialog = html("dialog", { class: "bg-dialog", "aria-label": title }, [html("h2", {}, [title])]);
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (dialog.returnValue !== "chosen") cancelled();
    if (before?.isConnected) before.focus({ preventScroll: true });
  });
  closeFromBeside(dialog);
  return dialog;
}

/** @param {HTMLElement & {reach?: () => void}} host  reach: takes the focus where nothing else has it afterwards @param {HTMLDialogElement} dialog */
export function openDialog(host, dialog) {
  dialog.addEventListener("close", () => document.activeElement === document.body && host.reach?.());
  host.append(dialog);
  dialog.showModal();
}

/**
 * The command box. A line that is refused stays, selected, so that it can be corrected.
 * @param {(line: string) => {text: string, refused: boolean}} run  answers with what there is to say @param {() => void} leave  takes the focus
 * @returns {{element: HTMLFormElement, open: () => void, show: (visible: boolean) => void}}
 */
export function commandBox(run, leave) {
  const input = html("input", { class: "bg-command", type: "text", "aria-label": _("Command"), placeholder: _("8/5 6/5, roll, double, score, help"),
    autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "go" });
  const output = html("output", { class: "bg-answer" });
  const element = html("form", { class: "bg-commands", hidden: "" }, [input, output]);
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    const { text, refused } = run(input.value);
    output.textContent = text;
    if (refused) input.select();
    else input.value = "";
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave();
  });
  return {
    element,
    open() {
      element.hidden = false;
      input.focus();
    },
    show(visible) {
      element.hidden = !visible;
    },
  };
}
