// The tab by which a position is taken elsewhere, as ID, picture, text, card or study, and by which pasted text is read.

/** @import {BoardShown} from "./types.js" */
/** @import {Questions} from "./server.js" */
import { _ } from "../board/language.js";
import { all, element, find, setText } from "../dom.js";
import { copy, copyFrame, copyText, toast } from "../notes.js";
import { makeCard } from "../practice/make.js";
import { saveToStudy } from "../studies/save.js";
import { PATH, queryOf, sentence, textOf } from "./server.js";

export class Share {
  /**
   * @param {Questions} questions
   * @param {{read: (found: BoardShown, history: "push" | "replace") => void, open: () => void}} page  read: what a text has described; open: opens this tab
   */
  constructor(questions, page) {
    this.questions = questions;
    this.page = page;
    this.field = find("paste", HTMLTextAreaElement);
    /** @type {BoardShown | null} */
    this.shown = null;
    find("copy-link").addEventListener("click", () => void copy(location.origin + location.pathname + location.search, _("The link is copied."), _("The link stands in the address bar of the browser.")));
    find("make-card").addEventListener("click", () => void this.trying(() => this.makeCard()));
    find("save-study").addEventListener("click", () => void this.trying(() => this.saveToStudy()));
    find("copy-text").addEventListener("click", () => void this.trying(() => this.copyText()));
    find("copy-embedded").addEventListener("click", () => void copyFrame(`${PATH}/embedded?${queryOf(this.shown)}`, 640));
    find("png").addEventListener("click", () => void this.savePng());
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      this.submit(this.field.value);
    });
    this.field.addEventListener("input", () => {
      find("unread").hidden = true;
    });
    find("read").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.read();
    });
    for (const button of all("[data-paste]")) button.addEventListener("click", () => void this.paste());
    document.addEventListener("paste", (event) => {
      if (event.target instanceof Element && event.target.closest("input, textarea")) return;
      const text = event.clipboardData?.getData("text") ?? "";
      if (text.trim()) this.submit(text);
    });
  }

  /** @param {BoardShown} found */
  show(found) {
    this.shown = found;
    find("ids").replaceChildren(...found.ids.map(({ name, text }) => {
      const field = element("input", { readonly: "", value: text, id: `id-${name.replaceAll(" ", "-")}` });
      const button = element("button", { type: "button", class: "button" }, [_("Copy")]);
      button.setAttribute("aria-label", _("Copy %(name)s", { name }));
      button.addEventListener("click", () => void copy(text, _("%(name)s copied.", { name }), _("Select the text and copy it.")));
      return element("div", {}, [element("label", { class: "field", for: field.id }, [name]), element("p", { class: "copy" }, [field, button])]);
    }));
    find("svg", HTMLAnchorElement).href = this.picture;
    find("similar", HTMLAnchorElement).href = `/library/similar?${queryOf(found)}`;
  }

  get picture() {
    return `${PATH}/picture.svg?${queryOf(this.shown)}`;
  }

  /** Says what went wrong. @param {() => Promise<void>} action */
  async trying(action) {
    if (!this.shown) return;
    try {
      await action();
    } catch (error) {
      toast(sentence(error));
    }
  }

  async makeCard() {
    const said = await makeCard("/position", { address: this.shown?.address });
    if (said) toast(said);
  }

  async saveToStudy() {
    const path = this.shown && (await saveToStudy(this.shown.address));
    if (path) location.assign(path);
  }

  async copyText() {
    const text = await textOf(`${PATH}/board.txt?${queryOf(this.shown)}`);
    await copyText(text, _("The position is copied as text."));
  }

  /** The picture as PNG, drawn from the server's SVG. */
  async savePng() {
    const picture = new Image();
    picture.src = this.picture;
    try {
      await picture.decode();
    } catch {
      toast(_("The picture cannot be drawn now."));
      return;
    }
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * picture.naturalWidth, 2 * picture.naturalHeight];
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    element("a", { href: canvas.toDataURL("image/png"), download: "position.png" }).click();
  }

  /** Puts what is in the clipboard into the field, and reads it. */
  async paste() {
    this.page.open();
    this.field.focus();
    try {
      this.field.value = await navigator.clipboard.readText();
    } catch {
      return; // the browser gives pages no clipboard: it is pasted by hand
    }
    if (this.field.value.trim()) this.submit(this.field.value);
  }

  /** @param {string} text */
  submit(text) {
    this.field.value = text;
    find("read", HTMLFormElement).requestSubmit();
  }

  /** Has the server read the text in the field. @param {"push" | "replace"} history @param {string} start  the query of the game, where no board is shown yet */
  async read(history = "push", start = queryOf(this.shown)) {
    const variant = new URLSearchParams(start).get("variant") ?? "backgammon";
    try {
      const found = await this.questions.ask("board", "/read", { method: "POST", body: JSON.stringify({ text: this.field.value, variant }) });
      if (!found) return;
      this.field.value = "";
      find("unread").hidden = true;
      this.page.read(found, history);
    } catch (error) {
      find("unread").hidden = false;
      setText(find("unread"), sentence(error));
      this.page.open();
    }
  }
}
