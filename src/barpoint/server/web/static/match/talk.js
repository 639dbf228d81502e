// What the players say to each other. Text is only ever put in as text.

/** @typedef {{id: number, seat: number, name: string, text: string, at: number}} Words */

export class Talk {
  /** @param {HTMLElement} box @param {(message: Record<string, unknown>) => void} send */
  constructor(box, send) {
    this.box = box;
    this.last = 0;
    this.lines = /** @type {HTMLElement} */ (box.querySelector("ol"));
    this.view = /** @type {HTMLElement} */ (box.querySelector(".words"));
    this.mute = /** @type {HTMLInputElement} */ (box.querySelector("[name=mute]"));
    const form = /** @type {HTMLFormElement | null} */ (box.querySelector("form"));
    const field = /** @type {HTMLInputElement | null} */ (form?.querySelector("[name=text]"));
    form?.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!field || !field.value.trim()) return;
      send({ do: "say", text: field.value });
      field.value = "";
    });
    this.mute?.addEventListener("change", () => send({ do: "mute", muted: this.mute.checked }));
  }

  /**
   * @param {{lines: Words[], muted: boolean}} told
   * @param {number | null} seat
   * @param {import("./link.js").SeatShown[]} seats
   */
  hear({ lines, muted }, seat, seats) {
    if (this.mute) this.mute.checked = muted;
    for (const { id, seat: by, name, text } of lines) {
      if (id <= this.last) continue;
      this.last = id;
      const line = document.createElement("li");
      const who = document.createElement("b");
      who.textContent = by === seat ? "You" : name;
      who.dataset.bot = String(seats[by]?.bot ?? false);
      line.append(who, ` ${text}`);
      this.lines.append(line);
      this.view.scrollTop = this.view.scrollHeight;
    }
  }
}
