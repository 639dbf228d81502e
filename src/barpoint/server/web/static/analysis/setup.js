// The form that sets up a position: its fields are those of the address.

/** @import {BoardShown} from "./types.js" */
import { all, find, findIn } from "../dom.js";

/** The fields that mean something only with these. @type {Record<string, (shown: BoardShown) => boolean>} */
const NEEDED = {
  cube: ({ cube }) => cube,
  match: ({ address }) => Boolean(address.length),
  money: ({ address, cube }) => cube && !address.length && address.cube !== 0,
  crawford: ({ crawford }) => crawford,
  tokens: ({ tokens }) => tokens > 0,
};

export class SetupForm {
  /** @param {(name: string) => void} changed
   * @param {(brush: string) => void} brushed  "" outside set-up */
  constructor(changed, brushed) {
    this.form = find("setup", HTMLFormElement);
    this.brushed = brushed;
    /** The fields that were changed since the server was last asked; answers leave them alone. @type {Set<string>} */
    this.touched = new Set();
    this.form.addEventListener("input", (event) => this.touched.add(/** @type {HTMLInputElement} */ (event.target).name));
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("change", (event) => {
      const { name } = /** @type {HTMLInputElement} */ (event.target);
      if (name === "brush") this.brushed(this.brush);
      else changed(name);
    });
    find("open-setup").addEventListener("click", () => this.open(this.form.hidden));
    find("close-setup").addEventListener("click", () => this.open(false));
  }

  get brush() {
    return this.form.hidden ? "" : findIn(this.form, "[name=brush]:checked", HTMLInputElement).value;
  }

  /** @param {boolean} open */
  open(open) {
    this.form.hidden = !open;
    find("open-setup").setAttribute("aria-pressed", String(open));
    document.body.classList.toggle("setting-up", open);
    this.brushed(this.brush);
    if (!open) find("open-setup").focus({ preventScroll: true });
  }

  /** @param {string} name */
  field(name) {
    return /** @type {HTMLInputElement | HTMLSelectElement} */ (this.form.elements.namedItem(name));
  }

  /** The fields of an address as the form has them, to be asked for now. @param {string} changed  the field that was changed @returns {Record<string, string>} */
  fields(changed) {
    this.touched.clear();
    const value = (/** @type {string} */ name) => this.field(name).value;
    const ticked = (/** @type {string} */ name) => (/** @type {HTMLInputElement} */ (this.field(name)).checked ? "1" : "");
    const pair = (/** @type {string} */ name) => `${Number(value(`${name}-near`)) || 0}-${Number(value(`${name}-far`)) || 0}`;
    const length = Number(value("length"));
    const fits = Math.max(Number(value("score-near")), Number(value("score-far"))) < length;
    const fields = { variant: value("variant"), turn: value("turn"), cube: value("cube"), owner: value("owner"), length: value("length"),
      score: !length || (changed === "length" && !fits) ? "" : pair("score"), crawford: ticked("crawford"), jacoby: ticked("jacoby"),
      beavers: ticked("beavers"), tokens: pair("tokens") };
    return changed === "variant" ? { variant: fields.variant, length: fields.length, score: fields.score, turn: fields.turn } : fields;
  }

  /** @param {BoardShown} shown */
  show(shown) {
    const { address } = shown;
    const [scoreNear, scoreFar] = (address.score ?? "0-0").split("-");
    const [tokensNear, tokensFar] = (address.tokens ?? `${shown.tokens}-${shown.tokens}`).split("-");
    const values = { variant: address.variant ?? "backgammon", turn: address.turn ?? "near", cube: String(address.cube ?? 1), owner: address.owner ?? "",
      length: String(address.length ?? 0), "score-near": scoreNear, "score-far": scoreFar, "tokens-near": tokensNear, "tokens-far": tokensFar };
    for (const [name, value] of Object.entries(values)) {
      const field = this.field(name);
      if (this.touched.has(name)) continue;
      if (field instanceof HTMLSelectElement && ![...field.options].some((option) => option.value === value)) field.add(new Option(value, value));
      if (field.value !== value) field.value = value;
    }
    for (const name of /** @type {const} */ (["crawford", "jacoby", "beavers"])) {
      if (!this.touched.has(name)) /** @type {HTMLInputElement} */ (this.field(name)).checked = Boolean(address[name]);
    }
    for (const field of all("[data-needs]", this.form)) field.hidden = !NEEDED[field.dataset.needs ?? ""](shown);
  }
}
