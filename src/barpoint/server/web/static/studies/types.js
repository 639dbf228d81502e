/** Shapes of the server's answers about studies (docs/protocol/openapi.json). Types only: nothing here runs.
 *
 * @import {Address} from "../analysis/types.js"
 *
 * @typedef {{id: number, board: Address, parent?: number, step?: string, name?: string, comment?: string, asked?: boolean}} StudyNode  what is the default is left out
 * @typedef {{id: string, title: string, owner: string, mine: boolean, changed_at: number, nodes: StudyNode[], at: number, answers: AnswerGiven[], score: string}} StudyShown
 * @typedef {{node: number, text: string, loss: number, mark: string}} AnswerGiven
 * @typedef {{studies: {id: string, title: string, positions: number, changed_at: number}[]}} StudyList
 */
export {};
