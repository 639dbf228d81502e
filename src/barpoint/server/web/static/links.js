// Pages that pass on a link, and have no other script: its buttons copy and share it.

import { listenToCopyButtons } from "./notes.js";

listenToCopyButtons();
