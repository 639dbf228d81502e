// The page for being off line: asks again for the page that was wanted, by itself and by its button.

const AGAIN_MS = 5000;

/** Loads the page that was wanted once the server answers. */
async function again() {
  try {
    const answer = await fetch("/healthz?reads", { cache: "no-store" });
    if (answer.ok) location.reload();
  } catch {
    // still off line
  }
}

document.getElementById("again")?.addEventListener("click", () => location.reload());
addEventListener("online", () => void again());
setInterval(() => void again(), AGAIN_MS);

export {};
