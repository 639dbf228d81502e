/** Shapes of the server's answers about a position (docs/protocol/openapi.json). Types only: nothing here runs.
 *
 * @import {Move, Side, View} from "../board/types.js"
 *
 * @typedef {{variant?: string, position?: string, turn?: Side, roll?: string, cube?: number, owner?: Side | "", length?: number,
 *   score?: string, crawford?: boolean, jacoby?: boolean, beavers?: boolean, tokens?: string}} Address  what is the default is left out
 * @typedef {{path: string, address: Address, title: string, view: View, ids: {name: string, text: string}[], rolls: number[][], tokens: number,
 *   cube: boolean, crawford: boolean, covered: boolean, may_double?: boolean, problem?: string, said?: string, other?: OtherShown, played?: {text: string, id: string}, score?: ScoreValues}} BoardShown
 * @typedef {{program?: string, lines?: string[], options?: {text: string, equity: number, level?: string}[], cube?: number[]}} OtherShown
 * @typedef {{win: number, lose: number, gammon?: number, take_dead?: number, take_live?: number}} SideAtScore
 * @typedef {{near: SideAtScore, far: SideAtScore, path: string}} ScoreValues
 * @typedef {{text?: string, moves: Move[], position: [number[], number[]], id: string, equity: number, loss: number, chances: number[],
 *   mwc?: number, deep?: boolean, mark?: string, plies?: number}} PlayAnswer
 * @typedef {{action: string, no_double: number, double_take: number, double_pass: number, take: number, double: number, cash: number,
 *   too_good: number, loss: [number, number], answer_loss: [number, number], relative: [number, number, number], mwc?: [number, number, number], reason?: string}} CubeAnswer
 * @typedef {{name: string, us: number, them: number, double: boolean, redouble: boolean, take: boolean}} RaceCount
 * @typedef {{pips: [number, number], effective: (number | null)[], wastage: (number | null)[], race: boolean, shots: number, answered: number,
 *   rolls: number, formulas: RaceCount[]}} Counts
 * @typedef {{net: string, plies: number, source: string, chances: number[], cubeless: number, equity: number, counts: Counts,
 *   plays?: PlayAnswer[], count?: number, cube?: CubeAnswer, reroll?: {action: string, keep: number, reroll: number}}} PositionAnswer
 * @typedef {{faces: number[], weight: number, text: string, moves: Move[], equity: number, gain: number}} RollAnswer
 * @typedef {{net: string, plies: number, rolls: number, mean: number, table: RollAnswer[]}} RollTable
 * @typedef {{choice: string, equity: number, margin: number, away?: [number, number], crawford?: boolean, owner?: string}} MatrixCell
 * @typedef {{net: string, plies: number, kind: "cube" | "play", rows: MatrixCell[][], after_us: MatrixCell[], after_them: MatrixCell[],
 *   places: MatrixCell[], money: MatrixCell}} ScoreMatrix
 * @typedef {{text: string, equity: number | null, error: number | null, games: number, loss?: number, loss_error?: number, moves?: Move[],
 *   chances?: number[]}} RolledChoice
 * @typedef {{net: string, plies: number, kind: string, done: number, trials: number, choices: RolledChoice[], clear?: boolean,
 *   action?: string, over?: boolean, method?: RolloutMethod}} RolloutAnswer
 * @typedef {{plies?: number, cube_plies?: number, truncate?: number, seed?: number}} RolloutMethod  what is the default is left out
 * @typedef {{state: "none" | "waiting" | "running" | "done", ahead?: number, more?: number, answer?: RolloutAnswer}} RolloutState
 */
export {};
