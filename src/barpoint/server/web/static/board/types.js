/** Shapes of the values that the board is given and gives back. Types only: nothing here runs.
 *
 * A side numbers the points on its own path: 1..24, with 0 for borne off, 25 for the bar and 26 for
 * the hand (a checker that has not entered yet; only as the source of a move).
 *
 * @typedef {"near" | "far"} Side  near: the viewer, or player 0 for a spectator
 * @typedef {[from: number, to: number, number: number]} Move
 * @typedef {[from: number, to: number, number: number, effect: number, next: number]} Edge
 *   effect 0 none, 1 hit, 2 pin; next is a node, or -1 where the graph ends for now
 * @typedef {[commit: number, edges: Edge[]]} TurnNode
 * @typedef {{nodes: TurnNode[], made: Move[], free?: Edge[]}} TurnGraph  free: what hands can do after `made`, legal or not
 * @typedef {{points: number[], hand: number, pinned: number[]}} SidePosition  points: 26 counts
 * @typedef {{near: SidePosition, far: SidePosition}} Position
 * @typedef {{kind: "2d6" | "1d12" | "3d6", faces: number[], of: Side, alternatives: number[][], follows?: true}} Dice
 * @typedef {import("../session/exact.js").Count} Count
 * @typedef {{value: Count, owner: Side | null, offered: {by: Side, value: Count} | null}} Cube
 * @typedef {{kind: string, by?: Side, reason?: string, value?: Count, roll?: number, on?: "own" | "other", faces?: number[],
 *   levels?: number[], points?: Count[], level?: number}} Allowed  by: the player, where both sides are the viewer's;
 *   points: what the loser pays if the game ends by this, one number or one for each level
 * @typedef {{by: Side | null, kind: string, moves?: Move[], faces?: number[], text?: string, level?: number,
 *   value?: Count}} Last
 * @typedef {{winner: Side | null, points: Count, kind: string, how: string, match?: string}} Result  match: how it ends the match
 *
 * @typedef {object} View  what the board shows
 * @property {SidePosition} near  the position before the turn
 * @property {SidePosition} far
 * @property {number[]} meets  meets[p] is near's number of the point that far calls p; 25 entries, the first unused
 * @property {Side | null} to_act
 * @property {string} phase
 * @property {Dice | null} dice
 * @property {{kind: "2d6" | "1d12" | "3d6", near: number, far: number} | null} opening_roll
 * @property {TurnGraph | null} turn
 * @property {Cube | null} cube
 * @property {{near: number, far: number} | null} tokens
 * @property {Allowed[]} allowed
 * @property {{near: string, far: string, near_short?: string, far_short?: string}} labels  short: where there is little room
 * @property {{near: number, far: number}} pips
 * @property {{near: Count, far: Count, length: number, crawford: boolean, game?: string}} score  length 0: no match length; game: title, where games take turns
 * @property {Last | null} last
 * @property {Result | null} result
 * @property {{of: Side | null, dice: number, sides: number}} [roll]  real dice whose faces can be entered
 *
 * @typedef {{kind: "roll" | "move" | "hit" | "off" | "cube" | "turn" | "won" | "lost", by: Side | null}} Shown  what is seen
 *   to happen; turn: the page asks for attention; lost: by the viewer
 *
 * @typedef {object} Options  how the board looks and what it does by itself
 * @property {boolean} mirror  home boards on the left
 * @property {boolean} flip  near at the top
 * @property {"light" | "dark"} near  lightness of near's checkers
 * @property {boolean} pool  always keep room for hands and trays on both sides
 * @property {boolean} numbers  point numbers
 * @property {boolean} movable  checkers that can move are marked
 * @property {boolean} click  one click on a checker plays it with the first die that it can play
 * @property {boolean} pips  pip counts
 * @property {boolean} commands  the command box is open
 * @property {boolean} keys  keys work wherever the page has no focus of its own
 * @property {boolean} letters  with keys: letters and signs work wherever nothing is written, not on the board alone
 * @property {boolean} forced  play a turn that leaves no choice
 * @property {boolean} pass  pass when nothing can be played
 * @property {boolean} bearoff  bear off by itself once nothing is left but that
 * @property {"never" | "no_double" | "always"} roll  roll by itself
 * @property {boolean} confirm  a double is asked once more before it is offered
 * @property {"none" | "fast" | "normal" | "slow"} speed  of what moves; nothing moves for those who asked for reduced motion
 * @property {string} setup  a position is set up: what a tap does, add a checker of "near" or of "far", or "remove" one; "" else
 * @property {boolean} controls  plates and buttons; without them the board is a picture
 *
 * @typedef {{to: number, choices: Move[][], free?: boolean}} Destination  choices: one, or several that differ in what
 *   they hit; free: only a hand goes there, no number does
 * @typedef {{source: number, rest: Move[], moves: Move[]}} Light  dropping at source takes `moves` back and leaves `rest`
 *
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {{x: number, y: number}} Place  in units of the board
 * @typedef {{x: number, y: number, flat: boolean}} Place2d  centre of a checker; flat: lying in a tray, seen from its edge
 * @typedef {string} Spot  a place as the eye sees it: "p8" (near's 8 point), "bar-near", "off-far", "hand-near", "dice", "cube"
 */
export {};
