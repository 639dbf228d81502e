// The list of players: role, cube, what each has to do, running score; and what the viewer may do with each.

/** @import {PlaceShown, State} from "./types.js" */
import { keyOf } from "../board/key.js";
import { element } from "../dom.js";

/** @typedef {(event: Record<string, unknown>, to?: number[]) => void} Ask */

const ROLES = /** @type {Record<string, string>} */ ({ box: "Box", captain: "Captain", team: "", waiting: "next game" });
const STATES = /** @type {Record<string, string>} */ ({ in: "in", act: "to play", answer: "must answer", ask: "double?", out: "out" });
const LABELS = /** @type {Record<string, string>} */ ({ double: "Double", take: "Take", pass: "Pass", beaver: "Beaver",
  raccoon: "Raccoon", accept: "Accept", reject: "Reject" });

/** @param {import("../session/exact.js").Count} points */
export const signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

/** @param {string} text @param {() => void} act @param {string} [name]  what a screen reader says */
export function smallButton(text, act, name) {
  const made = element("button", { type: "button", class: "button small", ...(name ? { "aria-label": name } : {}) }, [text]);
  made.addEventListener("click", act);
  return made;
}

/** @param {string} kind  its class @param {(Element | string)[]} [content] */
const span = (kind, content = []) => element("span", { class: kind }, content);

/** What a player has to do, or got from the last game. @param {State} state @param {PlaceShown} place */
function stateText({ playing }, { leaving, won, state }) {
  if (leaving) return "leaves";
  if (won === null || (playing && state !== "out")) return STATES[state] ?? "";
  return `${state === "out" ? "out, " : ""}${signed(won)}`;
}

/** The cube of a player's game, small. @param {State} state @param {PlaceShown} place */
function cubeOf({ playing, places }, { cube, role, state, offered, owner, name }) {
  if (!cube || role === "box" || role === "waiting" || !playing || state === "out") return span("small-cube none");
  const box = places.find((one) => one.role === "box")?.name ?? "the box";
  const whose = owner === "box" ? `with ${box}` : owner ? `with ${name}` : "in the middle";
  const words = offered ? `doubled to ${offered}` : `cube at ${cube}, ${whose}`;
  const attributes = { class: `small-cube${offered ? " offered" : ""}`, title: words, role: "img", "aria-label": words };
  return element("span", { ...attributes, ...(owner ? { "data-owner": owner } : {}) }, [String(offered || cube)]);
}

export class Players {
  /** @param {HTMLElement} list @param {Ask} ask */
  constructor(list, ask) {
    this.list = list;
    this.ask = ask;
    this.shown = "";
  }

  /** @param {State} state */
  set(state) {
    const key = keyOf([state.places, state.may, state.playing, state.player, state.box]);
    if (key === this.shown) return; // what is being typed into a row stays
    this.shown = key;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
    this.list.replaceChildren(...state.places.map((place) => this.row(state, place)));
    const again = focused && this.list.querySelector(`[data-key="${focused}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** @param {State} state @param {PlaceShown} place */
  row(state, place) {
    const own = place.player === state.player;
    const name = element("b", { class: "name", "data-bot": String(place.bot && !own) }, [own ? "You" : place.name]);
    const role = ROLES[place.role] || (state.box === null ? "" : "team");
    const points = element("span", { class: "points", title: "running score" }, [signed(place.points)]);
    const actions = this.actions(state, place);
    return element("li", { class: `player ${place.role} ${place.state ? `is-${place.state}` : ""}`, "data-player": place.player }, [
      span("player-name", [name, span("role", [role])]), cubeOf(state, place), span("state", [stateText(state, place)]), points,
      ...(actions.length ? [span("player-actions", actions)] : []),
    ]);
  }

  /** What the viewer may do in the game of this player. @param {State} state @param {PlaceShown} place @returns {HTMLElement[]} */
  actions(state, place) {
    const found = state.may.filter((may) => may.to?.includes(place.player));
    const buttons = found.filter((may) => may.kind !== "settle").map(({ kind }) => {
      const made = smallButton(LABELS[kind] ?? kind, () => this.ask({ kind }, [place.player]), `${LABELS[kind]}: ${place.name}`);
      made.dataset.key = `${kind}-${place.player}`;
      return made;
    });
    return found.some((may) => may.kind === "settle") ? [...buttons, ...this.offers(state, place), this.offerForm(state, place)] : buttons;
  }

  /** Settlements that are offered; a button accepts one. @param {State} state @param {PlaceShown} place @returns {HTMLElement[]} */
  offers(state, place) {
    return place.settle.flatMap(({ by, points }) => {
      const gets = signOf(state, place) > 0 ? points >= 0 : points <= 0;
      const text = `${by === state.player ? "You offer" : "Offered"}: ${gets ? "you get" : "you pay"} ${points < 0 ? -points : points}`;
      const said = span("offer-said", [text]);
      if (by === state.player) return [said];
      return [said, smallButton("Agree", () => this.ask({ kind: "settle", member: place.player, points }), `${text}. Agree`)];
    });
  }

  /** A form to offer a settlement. @param {State} state @param {PlaceShown} place */
  offerForm(state, place) {
    const other = state.player === place.player ? "the box" : place.name;
    const field = element("input", { type: "number", step: "0.25", value: "0", "data-key": `points-${place.player}`,
      "aria-label": `Points that you want from ${other}; negative to pay` });
    const form = element("form", { class: "copy" }, [field, element("button", { class: "button small" }, ["Offer"])]);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask({ kind: "propose", member: place.player, points: Number(field.value) * signOf(state, place) });
    });
    return element("details", { class: "settle" }, [element("summary", { "aria-label": `Settle with ${other}` }, ["Settle"]), form]);
  }
}

/** In the protocol points are for the box; here they are for the viewer. @param {State} state @param {PlaceShown} place */
const signOf = (state, place) => (state.player === place.player ? -1 : 1);
