/** What the server says about a chouette (docs/protocol.md). Types only: nothing here runs.
 *
 * @typedef {import("../session/exact.js").Count} Count
 * @typedef {{by: number, points: Count}} OfferShown  a settlement; points: for the box
 * @typedef {{player: number, name: string, bot: boolean, role: string, state: string, points: Count, leaving: boolean,
 *   asks: boolean, cube: Count, owner: string | null, offered: Count, won: Count | null, seed: string | null, settle: OfferShown[],
 *   resigned: string}} PlaceShown
 *   a player in line, and their game against the box
 * @typedef {{kind: string, to?: number[], value?: Count}} May  what the viewer may do besides what the board offers
 * @typedef {import("../session/session.js").Line & {results?: string[], cubes?: string}} ChouetteLine
 * @typedef {{id: string, title: string, terms: string, one_cube: boolean, consulting: string, decision_ms: number,
 *   commitment: string, seed: string | null}} ChouetteShown
 * @typedef {{say: "chouette", chouette: ChouetteShown, player: number | null, facing: number | null, seq: number, roll_seq: number,
 *   version: number, playing: boolean, over: boolean, games: number, box: number | null, captain: number | null,
 *   places: PlaceShown[], waits_for: number[], may: May[], view: import("../board/types.js").View, log: ChouetteLine[],
 *   may_chat: boolean, due_ms: number | null}} State
 */
export {};
