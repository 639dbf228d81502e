// A match as the server recorded it: the list of events is read at once, the boards of a game when they are wanted.

/** @import {Count} from "../session/exact.js" */
/** @import {Line} from "../session/session.js" */
/** @import {View} from "../board/types.js" */
import { _ } from "../board/language.js";
import { parseExact } from "../session/exact.js";
/**
 * @typedef {{game: number, first: number, last: number, score: [Count, Count], result: string, title: string}} Chapter
 * @typedef {{near: number, over: boolean, chapters: Chapter[], lines: Line[], notes: {seq: number, lines: string[]}[],
 *   verdicts: FileVerdict[]}} Contents
 * @typedef {{event: number, kind: string, best: string, lines: string[]}} FileVerdict  what the program that wrote the file says of a decision
 */

/** @param {string} address */
async function read(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(_("The server answered %(status)s.", { status: answer.status }));
  return parseExact(await answer.text());
}

export class Recording {
  /** @param {string} path  the beginning of its addresses */
  constructor(path) {
    this.address = `${path}/replay.json`;
    /** @type {Contents} */
    this.contents = { near: 0, over: false, chapters: [], lines: [], notes: [], verdicts: [] };
    /** @type {Map<string, FileVerdict>} those of the file by event and kind */
    this.verdicts = new Map();
    /** @type {Map<string, Promise<View[]>>} the boards of each game, by the player below */
    this.games = new Map();
    /** @type {number | null} the player below, if it is not the one that the server chooses */
    this.below = null;
  }

  /** Reads the list of events, again where the match goes on. */
  async open() {
    this.contents = await read(this.address);
    this.verdicts = new Map(this.contents.verdicts.map((one) => [`${one.event} ${one.kind}`, one]));
    this.games.clear();
  }

  /** The player at the bottom of the board. */
  get near() {
    return this.below ?? this.contents.near;
  }

  /** The number of the last event. */
  get last() {
    return this.contents.chapters.at(-1)?.last ?? 0;
  }

  /** The game to which an event belongs. @param {number} seq @returns {Chapter} */
  chapter(seq) {
    const { chapters } = this.contents;
    return chapters.findLast((chapter) => chapter.first <= seq) ?? chapters[0];
  }

  /** @param {number} seq */
  line(seq) {
    return this.contents.lines[seq - 1] ?? null;
  }

  /** What the file of an imported match says about an event. @param {number} seq @returns {string[]} */
  notes(seq) {
    return this.contents.notes.find((note) => note.seq === seq)?.lines ?? [];
  }

  /** What the program that wrote the file says of a decision. @param {{event: number, kind: string}} decision */
  verdict({ event, kind }) {
    return this.verdicts.get(`${event} ${kind}`) ?? null;
  }

  /** The board after an event. @param {number} seq @returns {Promise<View>} */
  async view(seq) {
    const { game, first } = this.chapter(seq);
    const key = `${game} ${this.near}`;
    let boards = this.games.get(key);
    if (!boards) {
      boards = read(`${this.address}?game=${game}&near=${this.near}`);
      this.games.set(key, boards);
      boards.catch(() => this.games.delete(key));
    }
    const views = await boards;
    return views[Math.min(seq - first, views.length - 1)];
  }
}
