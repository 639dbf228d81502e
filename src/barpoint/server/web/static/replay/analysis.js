// The analysis of the match: asks for it, waits for it, and finds what it says about an event.

/** @import {Move} from "../board/types.js" */
import { _ } from "../board/language.js";
/**
 * @typedef {{text: string, equity: number, loss: number, value: number, chances?: number[], moves?: Move[],
 *   position?: number[][]}} Option
 * @typedef {{no_double: number, double_take: number, double_pass: number, action: string, win: number, take: number,
 *   double: number, cash: number, too_good: number}} CubeDecision
 * @typedef {{name: string, figures: Record<string, number | string>}} Theme
 * @typedef {{event: number, game: number, player: number, kind: string, stage: string, chosen: number, options: Option[],
 *   loss: number, cost: number, counted: boolean, mark?: string, faces?: number[], cube?: CubeDecision, lesson?: string,
 *   themes?: Theme[], level?: number, plies?: number, games?: number}} Decision
 * @typedef {{event: number, game: number, player: number, faces: number[], luck: number, value: number, mark?: string}} Luck
 * @typedef {{decisions: number, unforced: number, loss: number, cost: number, doubtful: number, errors: number,
 *   blunders: number, error_rate: number, rating: number}} Tally
 * @typedef {{total: Tally, groups: Record<string, Tally>, stages: Record<string, Tally>, luck: number, luck_value: number}} Totals
 * @typedef {{length: number, plies: number, net: string, decisions: Decision[], rolls: Luck[], curve: {event: number, win: number}[],
 *   players: [Totals, Totals], result: number | null, adjusted: number | null, outline?: boolean}} Report  outline: of a long match, without the
 *   rolls and most of what is known of decisions, which are read game by game
 * @typedef {{state: string, done: number, events: number, ahead: number, message?: string}} State
 */

const ASK_AGAIN_MS = 700;

/** While the server is away, it is asked less often. */
const AWAY_MS = 3000;

const DEPTHS = ["2", "1", "0"]; // the deepest first

export class Analysis {
  /** @param {string} path  the beginning of its addresses @param {(state: State) => void} progress
   * @param {(report: Report) => void} arrived */
  constructor(path, progress, arrived) {
    this.address = `${path}/analysis`;
    this.progress = progress;
    this.arrived = arrived;
    /** @type {Report | null} */
    this.report = null;
    /** @type {Map<number, Decision[]>} decisions by the event with which they were made */
    this.byEvent = new Map();
    /** @type {Map<number, Luck>} */
    this.lucks = new Map();
    /** @type {Map<number, Promise<void> | null>} what the outline leaves out of each game; null once it is there */
    this.parts = new Map();
    this.plies = "";
  }

  /** Of the report, or of what its outline leaves out of a game. @param {string | number} plies @param {number} [game] */
  addressOf(plies, game) {
    return `${this.address}.json?plies=${plies}&${game === undefined ? "outline=1" : `game=${game}`}`;
  }

  /** Orders it, and waits. @param {string} plies */
  async order(plies) {
    const answer = await fetch(this.address, { method: "POST", body: new URLSearchParams({ plies }) });
    const said = await answer.json();
    this.progress(said);
    if (answer.ok) await this.wait(plies);
  }

  /** Adopts the deepest one that is ready, or else the first that becomes ready. @returns {Promise<string[]>} the deeper ones that follow */
  async find() {
    /** @type {string[]} */
    const coming = [];
    for (const plies of DEPTHS) {
      const answer = await fetch(this.addressOf(plies));
      const said = await answer.json();
      if (answer.status === 200) {
        this.adopt(said);
        break;
      }
      if (said.state === "waiting" || said.state === "running") coming.unshift(plies);
      else if (!coming.length) this.progress(said);
    }
    const [first, ...later] = coming;
    if (this.report || !first) return coming;
    await this.wait(first);
    return later;
  }

  /** Adopts those that are under way, one after the other. @param {string[]} coming */
  async follow(coming) {
    for (const plies of coming) {
      await this.wait(plies);
      if (this.plies !== plies) return; // another one was ordered
    }
  }

  /** Waits for one that was ordered, here or elsewhere, also while the server is away; says at once where there is none. @param {string} plies */
  async wait(plies) {
    this.plies = plies;
    for (;;) {
      const found = await this.look(plies);
      if (this.plies !== plies) return; // another depth was chosen meanwhile
      if (found?.report) {
        this.adopt(found.report);
        return;
      }
      if (found?.state) {
        this.progress(found.state);
        if (found.over) return;
      }
      await new Promise((done) => setTimeout(done, found ? ASK_AGAIN_MS : AWAY_MS));
    }
  }

  /** The report, or how far it is; null where the server cannot say now. over: no more comes. @param {string} plies
   * @returns {Promise<{report?: Report, state?: State, over?: boolean} | null>} */
  async look(plies) {
    try {
      const answer = await fetch(this.addressOf(plies));
      if (answer.status >= 500) return null;
      const said = await answer.json();
      return answer.status === 200 ? { report: said } : { state: said, over: !answer.ok || said.state === "none" };
    } catch {
      return null;
    }
  }

  /** @param {Report} report */
  adopt(report) {
    this.report = report;
    this.byEvent = grouped(report.decisions);
    this.lucks = new Map(report.rolls.map((luck) => [luck.event, luck]));
    this.parts = new Map();
    this.arrived(report);
  }

  /** What is left out of a game, until it is there: asked for once, and again where it did not come. @param {number} game @returns {Promise<void> | null} */
  part(game) {
    const { report, parts } = this;
    if (!report?.outline) return null;
    let part = parts.get(game);
    if (part === undefined) {
      part = this.readPart(report, game);
      parts.set(game, part);
      part.then(() => parts.set(game, null), () => parts.delete(game));
    }
    return part;
  }

  /** @param {Report} report @param {number} game */
  async readPart(report, game) {
    const answer = await fetch(this.addressOf(report.plies, game));
    if (answer.status !== 200) throw new Error(_("The server answered %(status)s.", { status: answer.status }));
    const { decisions, rolls } = /** @type {Report} */ (await answer.json());
    if (this.report !== report) return; // another one came meanwhile
    for (const [event, those] of grouped(decisions)) this.byEvent.set(event, those);
    for (const luck of rolls) this.lucks.set(luck.event, luck);
  }

  /** A decision with all that is known of it. @param {Decision} decision @returns {Promise<Decision>} */
  async whole({ event, game, kind }) {
    for (let part = this.part(game); part; part = this.part(game)) await part;
    return /** @type {Decision} */ (this.byEvent.get(event)?.find((one) => one.kind === kind));
  }

  /** What was decided by an event, the costliest first. @param {number} seq @returns {Decision[]} */
  decided(seq) {
    return [...(this.byEvent.get(seq) ?? [])].sort((a, b) => b.loss - a.loss);
  }
}

/** @param {Decision[]} decisions */
function grouped(decisions) {
  /** @type {Map<number, Decision[]>} */
  const found = new Map();
  for (const decision of decisions) found.set(decision.event, [...(found.get(decision.event) ?? []), decision]);
  return found;
}
