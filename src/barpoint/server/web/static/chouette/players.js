// The list of players: role, cube, what each has to do, running score; and what the viewer may do with each.

/** @import {PlaceShown, State} from "./types.js" */
import { keyOf } from "../board/key.js";
import { _, number, pgettext } from "../board/language.js";
import { element } from "../dom.js";
import { tag } from "../session/tag.js";

/** @typedef {(event: Record<string, unknown>, to?: number[]) => void} Ask */

const ROLES = /** @type {Record<string, string>} */ ({ box: _("Box"), captain: _("Captain"), team: "", waiting: _("next game") });
const STATES = /** @type {Record<string, string>} */ ({ in: _("in"), act: _("to play"), answer: _("must answer"), ask: _("double?"), out: pgettext("chouette", "out") });
const LABELS = /** @type {Record<string, string>} */ ({ double: _("Double"), take: _("Take"), pass: pgettext("cube", "Pass"),
  beaver: _("Beaver"), raccoon: _("Raccoon"), accept: _("Accept"), reject: _("Reject") });

/** @param {import("../session/exact.js").Count} points */
export const signed = (points) => (points ? number(points, undefined, true) : "0");

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
  if (leaving) return _("leaves");
  if (won === null || (playing && state !== "out")) return STATES[state] ?? "";
  return `${state === "out" ? `${pgettext("chouette", "out")}, ` : ""}${signed(won)}`;
}

/** The cube of a player's game, small. @param {State} state @param {PlaceShown} place */
function cubeOf({ playing, places }, { cube, role, state, offered, owner, name }) {
  if (!cube || role === "box" || role === "waiting" || !playing || state === "out") return span("small-cube none");
  const box = places.find((one) => one.role === "box")?.name ?? _("the box");
  const whose = owner ? _("with %(player)s", { player: owner === "box" ? box : name }) : _("in the middle");
  const words = offered ? _("doubled to %(value)s", { value: offered }) : `${_("cube at %(value)s", { value: cube })}, ${whose}`;
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
    if (key === this.shown) return;
    this.shown = key;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
    const typed = [...this.list.querySelectorAll("input")].filter((field) => field.closest("details")?.open);
    this.list.replaceChildren(...state.places.map((place) => this.row(state, place)));
    for (const { dataset, value } of typed) this.retype(dataset.key ?? "", value);
    const again = focused && this.list.querySelector(`[data-key="${focused}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** Opens the form of an offer that was open, with what was typed into it. @param {string} key @param {string} value */
  retype(key, value) {
    const field = this.list.querySelector(`input[data-key="${key}"]`);
    const box = field?.closest("details");
    if (!(field instanceof HTMLInputElement) || !box) return;
    field.value = value;
    box.open = true;
  }

  /** @param {State} state @param {PlaceShown} place */
  row(state, place) {
    const own = place.player === state.player;
    const name = element("b", { class: "name" }, [own ? _("You") : place.name]);
    tag(name, place.bot && !own);
    const role = ROLES[place.role] || (state.box === null ? "" : _("team"));
    const points = element("span", { class: "points", title: _("running score") }, [signed(place.points)]);
    const actions = this.actions(state, place);
    return element("li", { class: `player ${place.role} ${place.state ? `is-${place.state}` : ""}`, "data-player": place.player }, [
      span("player-name", [name, span("role", [role])]), cubeOf(state, place), span("state", [stateText(state, place)]), points,
      ...(place.resigned ? [span("resigned", [place.resigned])] : []),
      ...(actions.length ? [span("player-actions", actions)] : []),
    ]);
  }

  /** What the viewer may do in the game of this player. @param {State} state @param {PlaceShown} place @returns {HTMLElement[]} */
  actions(state, place) {
    const found = state.may.filter((may) => may.to?.includes(place.player));
    const buttons = found.filter(({ kind }) => kind !== "settle" && kind !== "withdraw").map(({ kind }) => {
      const made = smallButton(LABELS[kind] ?? kind, () => this.ask({ kind }, [place.player]), `${LABELS[kind]}: ${place.resigned || place.name}`);
      made.dataset.key = `${kind}-${place.player}`;
      return made;
    });
    return found.some((may) => may.kind === "settle") ? [...buttons, ...this.offers(state, place), this.offerForm(state, place)] : buttons;
  }

  /** Settlements that are offered; a button accepts one, or withdraws one's own. @param {State} state @param {PlaceShown} place @returns {HTMLElement[]} */
  offers(state, place) {
    return place.settle.flatMap(({ by, points }) => {
      const gets = signOf(state, place) > 0 ? points >= 0 : points <= 0;
      const own = by === state.player;
      const amount = { points: number(points < 0 ? -points : points) };
      const text = gets ? own ? _("You offer: you get %(points)s", amount) : _("Offered: you get %(points)s", amount)
        : own ? _("You offer: you pay %(points)s", amount) : _("Offered: you pay %(points)s", amount);
      const said = span("offer-said", [text]);
      if (own) return [said, smallButton(_("Withdraw"), () => this.ask({ kind: "withdraw", member: place.player }), `${text}. ${_("Withdraw")}`)];
      return [said, smallButton(_("Agree"), () => this.ask({ kind: "settle", member: place.player, points }), `${text}. ${_("Agree")}`)];
    });
  }

  /** A form to offer a settlement. @param {State} state @param {PlaceShown} place */
  offerForm(state, place) {
    const other = state.player === place.player ? _("the box") : place.name;
    const said = _("Points that you want from %(player)s; negative to pay", { player: other });
    const field = element("input", { type: "number", step: "0.25", value: "0", "data-key": `points-${place.player}` });
    const asked = element("label", {}, [span("hint", [said]), field]);
    const form = element("form", {}, [asked, element("button", { class: "button small" }, [pgettext("settlement", "Offer")])]);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask({ kind: "propose", member: place.player, points: Number(field.value) * signOf(state, place) });
    });
    return element("details", { class: "settle" }, [element("summary", { "aria-label": _("Settle with %(player)s", { player: other }) }, [_("Settle")]), form]);
  }
}

/** In the protocol points are for the box; here they are for the viewer. @param {State} state @param {PlaceShown} place */
const signOf = (state, place) => (state.player === place.player ? -1 : 1);
