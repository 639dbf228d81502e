// The positions of a study as a tree: the main line below its beginning, other lines indented; and the way through it.

/** @import {StudyNode} from "./types.js" */
import { _ } from "../board/language.js";
import { element } from "../dom.js";

/** The positions that follow one, the main line first; of 0 the beginnings. @param {StudyNode[]} nodes @param {number} id */
export const following = (nodes, id) => nodes.filter((node) => (node.parent ?? 0) === id);

/** @param {StudyNode[]} nodes @param {number} id */
export const nodeOf = (nodes, id) => nodes.find((node) => node.id === id);

/**
 * Where a key leads from a position: back and on along the line and from one beginning to the next, up and down to the other lines from the same position. @param {StudyNode[]} nodes
 * @param {number} id @param {string} way  back, on, up, down or first @returns {StudyNode | undefined}
 */
export function step(nodes, id, way) {
  const node = nodeOf(nodes, id);
  if (!node) return undefined;
  if (way === "first") return nodes[0];
  if (way === "back") return nodeOf(nodes, node.parent ?? 0) ?? endOf(nodes, beside(nodes, node, -1));
  if (way === "on") return following(nodes, id)[0] ?? beside(nodes, node, 1);
  const lines = following(nodes, node.parent ?? 0);
  return lines[lines.indexOf(node) + (way === "up" ? -1 : 1)];
}

/** The beginning before or after that from which a position follows. @param {StudyNode[]} nodes @param {StudyNode} node @param {number} way */
function beside(nodes, node, way) {
  let first = node;
  while (first.parent) first = /** @type {StudyNode} */ (nodeOf(nodes, first.parent));
  const beginnings = following(nodes, 0);
  return beginnings[beginnings.indexOf(first) + way];
}

/** The end of the main line from a position. @param {StudyNode[]} nodes @param {StudyNode | undefined} node */
function endOf(nodes, node) {
  let last = node;
  for (let next = node; next; [next] = following(nodes, next.id)) last = next;
  return last;
}

/** What a position is called in the tree. @param {StudyNode} node */
export const stepText = ({ step: made }) => (made === "double, take" ? _("Double, take") : made ?? "");

/**
 * Draws the tree. @param {HTMLElement} place @param {StudyNode[]} nodes @param {number} at @param {(id: number) => void} choose
 */
export function drawTree(place, nodes, at, choose) {
  /** A line; what could be played instead stands below the play of the line. @param {StudyNode} first @returns {HTMLElement[]} */
  const line = (first) => {
    const rows = [];
    let others = /** @type {StudyNode[]} */ ([]);
    for (let node = /** @type {StudyNode | undefined} */ (first); node;) {
      const lines = others.map((other) => element("ol", {}, line(other)));
      rows.push(element("li", {}, [row(node), ...(lines.length ? [element("div", { class: "lines" }, lines)] : [])]));
      [node, ...others] = following(nodes, node.id);
    }
    return rows;
  };
  /** @param {StudyNode} node */
  const row = (node) => {
    const said = node.name ? [element("b", {}, [node.name])] : [];
    const made = stepText(node) || (node.name ? "" : node.board.roll ? _("Position, roll %(roll)s", { roll: node.board.roll }) : _("Position"));
    const button = element("button", { type: "button", "data-node": String(node.id), ...(node.id === at ? { "aria-current": "true" } : {}) },
      [...(made ? [element("span", {}, [made])] : []), ...(made && said.length ? [" "] : []), ...said, ...(node.asked ? [element("span", { "aria-hidden": "true" }, [" ?"]), element("span", { class: "hidden" }, [", ", _("asked first")])] : []), ...(node.comment ? [element("span", { "aria-hidden": "true" }, [" ✎"]), element("span", { class: "hidden" }, [", ", _("with a comment")])] : [])]);
    button.addEventListener("click", () => choose(node.id));
    return button;
  };
  const focused = place.contains(document.activeElement);
  place.replaceChildren(...following(nodes, 0).flatMap((first) => line(first)));
  const current = /** @type {HTMLElement | null} */ (place.querySelector("[aria-current]"));
  if (focused) current?.focus();
  current?.scrollIntoView({ block: "nearest" });
}
