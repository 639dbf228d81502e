/** What the server says about a match (docs/protocol.md). Types only: nothing here runs.
 *
 * @typedef {import("../session/session.js").Line} Line
 * @typedef {{id: string, variant: string, title: string, terms: string, length: number, seats: SeatShown[],
 *   commitment: string, rematch: string | null, rated: boolean, fee: number}} MatchShown
 * @typedef {{kind: string, name: string, bot: boolean, by_player: boolean, commitment: string | null, seed: string | null}} SeatShown
 * @typedef {{say: "state", match: MatchShown, seat: number | null, seq: number, roll_seq: number, version: number,
 *   view: import("../board/types.js").View, log: Line[], over: boolean, clock: ClockShown | null, due: Due | null,
 *   adjournment: Adjournment, ratings: {near: Rating, far: Rating} | null,
 *   presence: {near: SeatPresence | null, far: SeatPresence | null} | null, proposition?: string[]}} State
 * @typedef {{adjourned: boolean, asked_by: "near" | "far" | null, claimed_by: "near" | "far" | null, may: string[]}} Adjournment
 * @typedef {{here: boolean, away_ms: number | null}} SeatPresence  null for a bot
 * @typedef {{value: number, provisional: boolean, before: number | null, after: number | null}} Rating
 * @typedef {{ms: number, runs: boolean, free_ms: number}} ClockSide
 * @typedef {{name: string, delay_ms: number, free_ms: number, near: ClockSide, far: ClockSide}} ClockShown
 * @typedef {{kind: string, ms: number, by: "near" | "far" | null}} Due  what happens when time is up
 */
export {};
