export function isFocusLost(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || active.id === "main";
}

/** Longest time for a page to render, in milliseconds. */
const DRAWN_MS = 10_000;
/** Keys for reading a page that has the focus itself. */
const READING_KEYS = new Set(["PageDown", "PageUp", "ArrowDown", "ArrowUp", "Home", "End", " "]);

/** Gives the focus away now and after each render for ten seconds, until the reader acts: parts of a page come late. */
export function makeFocusHold(): (give: () => void) => void {
  let held = new AbortController();
  return (give) => {
    held.abort();
    held = new AbortController();
    const { signal } = held;
    const drawn = new MutationObserver(give);
    signal.addEventListener("abort", () => drawn.disconnect());
    drawn.observe(document.body, { childList: true, subtree: true, attributeFilter: ["style", "hidden"] });
    const stop = held;
    const end = (): void => stop.abort();
    const timer = setTimeout(end, DRAWN_MS);
    signal.addEventListener("abort", () => clearTimeout(timer));
    for (const kind of ["pointerdown", "wheel", "touchmove"])
      document.addEventListener(kind, end, { signal, passive: true, capture: true });
    // Typing before there is anything to focus must not end the hold.
    const endWhereFound = ({ key }: KeyboardEvent): void =>
      isFocusLost() && !READING_KEYS.has(key) ? undefined : end();
    document.addEventListener("keydown", endWhereFound, { signal, capture: true });
    give();
  };
}
