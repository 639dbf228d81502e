// The page of a deck: its link can be copied.

import { listenToCopyButtons } from "../notes.js";

listenToCopyButtons();
