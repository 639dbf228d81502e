// Shows a part of the page anew when the server sends it, and goes to the match when one's challenge was taken.
// Without this script the page works as well; it then shows what was so when it was loaded.

const place = /** @type {HTMLElement} */ (document.querySelector("[data-live]"));
const scheme = location.protocol === "https:" ? "wss:" : "ws:";
const SHORTEST_MS = 500;
const LONGEST_MS = 15000;
let wait = SHORTEST_MS;

/** Says times as the clock on this wall does; without this they are in universal time. */
function localise() {
  for (const time of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("time[data-at]"))) {
    const at = new Date(Number(time.dataset.at));
    time.textContent = at.toLocaleString(undefined, { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" });
  }
}

/** Puts a part in; what had the focus keeps it, and what was scrolled stays where it was. @param {string} html */
function show(html) {
  const wide = [...place.querySelectorAll("[data-scroll]")].map((one) => one.scrollLeft);
  const held = document.activeElement && place.contains(document.activeElement) ? document.activeElement.id : "";
  place.innerHTML = html;
  localise();
  place.querySelectorAll("[data-scroll]").forEach((one, index) => (one.scrollLeft = wide[index] ?? 0));
  if (held) document.getElementById(held)?.focus();
}

function open() {
  const socket = new WebSocket(`${scheme}//${location.host}${place.dataset.live}`);
  socket.onmessage = (event) => {
    wait = SHORTEST_MS;
    const message = JSON.parse(event.data);
    if (message.say === "part") show(message.html);
    else if (message.say === "go") location.assign(message.to);
    place.dataset.connected = "yes";
  };
  socket.onclose = () => {
    delete place.dataset.connected;
    setTimeout(open, wait * (0.6 + 0.8 * Math.random()));
    wait = Math.min(LONGEST_MS, wait * 1.7);
  };
}

localise();
if (place) open();
