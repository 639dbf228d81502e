// What this browser keeps for its pages, where it lets them: while its window is open, or for good. Where storage is closed nothing is kept.

class Kept {
  /** @param {() => Storage} storage  throws where it is closed */
  constructor(storage) {
    this.storage = storage;
  }

  /** Whether anything can be read here. */
  get open() {
    try {
      return Boolean(this.storage());
    } catch {
      return false;
    }
  }

  /** What is kept under a name; null for nothing. @param {string} name @returns {string | null} */
  get(name) {
    try {
      return this.storage().getItem(name);
    } catch {
      return null;
    }
  }

  /** The same, kept as JSON; null also where it is damaged. @param {string} name */
  value(name) {
    try {
      return JSON.parse(this.get(name) ?? "null");
    } catch {
      return null;
    }
  }

  /** @param {string} name @param {string} text */
  set(name, text) {
    try {
      this.storage().setItem(name, text);
    } catch {
      // it holds for this page alone
    }
  }

  /** @param {string} name */
  remove(name) {
    try {
      this.storage().removeItem(name);
    } catch {
      // it was never kept
    }
  }
}

/** Until this window is closed, over reloads. */
export const inWindow = new Kept(() => sessionStorage);

/** In every window of this browser, for good. */
export const inBrowser = new Kept(() => localStorage);
