// The list of players: role, cube, what each has to do, running score; and what the viewer may do with each.

/** @import {Place, TableState} from "./link.js" */

/** @typedef {(event: Record<string, unknown>, to?: number[]) => void} Ask */

const ROLES = /** @type {Record<string, string>} */ ({ box: "Box", captain: "Captain", team: "", waiting: "next game" });
const STATES = /** @type {Record<string, string>} */ ({ in: "in", act: "to play", answer: "must answer", ask: "double?", out: "out" });
const LABELS = /** @type {Record<string, string>} */ ({ double: "Double", take: "Take", pass: "Pass", beaver: "Beaver",
  raccoon: "Raccoon", accept: "Accept", reject: "Reject" });

/** @param {string} name @param {string} className @param {string} [text] */
function element(name, className, text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

/** @param {number} points */
export const signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

/** @param {string} text @param {() => void} act @param {string} [name]  what a screen reader says */
export function button(text, act, name) {
  const made = /** @type {HTMLButtonElement} */ (element("button", "button small", text));
  made.type = "button";
  if (name) made.setAttribute("aria-label", name);
  made.addEventListener("click", act);
  return made;
}

export class Players {
  /** @param {HTMLElement} list @param {Ask} ask */
  constructor(list, ask) {
    this.list = list;
    this.ask = ask;
    this.shown = "";
  }

  /** @param {TableState} state */
  set(state) {
    const key = JSON.stringify([state.places, state.may, state.playing, state.player, state.box]);
    if (key === this.shown) return; // what is being typed into a row stays
    this.shown = key;
    const held = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.key;
    this.list.replaceChildren(...state.places.map((place) => this.row(state, place)));
    if (held) /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-key="${held}"]`))?.focus();
  }

  /** @param {TableState} state @param {Place} place */
  row(state, place) {
    const row = element("li", `player ${place.role} ${place.state ? `is-${place.state}` : ""}`);
    row.dataset.player = String(place.player);
    const own = place.player === state.player;
    const name = element("b", "name", own ? "You" : place.name);
    name.dataset.bot = String(place.bot && !own);
    const role = ROLES[place.role] || (state.box === null ? "" : "team");
    const state_ = place.leaving ? "leaves" : place.won !== null && (!state.playing || place.state === "out")
      ? `${place.state === "out" ? "out, " : ""}${signed(place.won)}` : STATES[place.state] ?? "";
    const points = element("span", "points", signed(place.points));
    points.title = "running score";
    const called = element("span", "called");
    called.append(name, element("span", "role", role));
    row.append(called, this.cube(state, place), element("span", "state", state_), points);
    const deeds = this.deeds(state, place);
    if (deeds.length) {
      const box = element("span", "deeds");
      box.append(...deeds);
      row.append(box);
    }
    return row;
  }

  /** @param {TableState} state @param {Place} place */
  cube(state, place) {
    const cube = element("span", "die-cube");
    if (!place.cube || place.role === "box" || place.role === "waiting" || !state.playing || place.state === "out") {
      cube.classList.add("none");
      return cube;
    }
    cube.textContent = String(place.offered || place.cube);
    if (place.owner) cube.dataset.owner = place.owner;
    if (place.offered) cube.classList.add("offered");
    const box = state.places.find((one) => one.role === "box")?.name ?? "the box";
    const whose = place.owner === "box" ? `with ${box}` : place.owner ? `with ${place.name}` : "in the middle";
    const words = place.offered ? `doubled to ${place.offered}` : `cube at ${place.cube}, ${whose}`;
    cube.title = words;
    cube.setAttribute("role", "img");
    cube.setAttribute("aria-label", words);
    return cube;
  }

  /** What the viewer may do in the game of this player. @param {TableState} state @param {Place} place */
  deeds(state, place) {
    const found = state.may.filter((may) => may.to?.includes(place.player));
    /** @type {HTMLElement[]} */
    const deeds = found.filter((may) => may.kind !== "settle").map((may) => {
      const made = button(LABELS[may.kind] ?? may.kind, () => this.ask({ kind: may.kind }, [place.player]), `${LABELS[may.kind]}: ${place.name}`);
      made.dataset.key = `${may.kind}-${place.player}`;
      return made;
    });
    if (found.some((may) => may.kind === "settle")) deeds.push(...this.settling(state, place));
    return deeds;
  }

  /** Offers to settle, and the way to make one. @param {TableState} state @param {Place} place */
  settling(state, place) {
    const mine = state.player === place.player ? -1 : 1; // points in the protocol are for the box
    const made = [];
    for (const { by, points } of place.settle) {
      const who = by === state.player ? "You offer" : "Offered";
      const text = `${who}: ${points * mine >= 0 ? "you get" : "you pay"} ${Math.abs(points)}`;
      made.push(element("span", "offer-said", text));
      if (by !== state.player) {
        made.push(button("Agree", () => this.ask({ kind: "settle", member: place.player, points }), `${text}. Agree`));
      }
    }
    const details = /** @type {HTMLDetailsElement} */ (element("details", "settle"));
    const summary = element("summary", "", "Settle");
    const form = /** @type {HTMLFormElement} */ (element("form", "copy"));
    const field = /** @type {HTMLInputElement} */ (document.createElement("input"));
    field.type = "number";
    field.step = "0.25";
    field.value = "0";
    const other = state.player === place.player ? "the box" : place.name;
    field.setAttribute("aria-label", `Points that you want from ${other}; negative to pay`);
    summary.setAttribute("aria-label", `Settle with ${other}`);
    field.dataset.key = `points-${place.player}`;
    const send = element("button", "button small", "Offer");
    form.append(field, send);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask({ kind: "propose", member: place.player, points: Number(field.value) * mine });
    });
    details.append(summary, form);
    return [...made, details];
  }
}
