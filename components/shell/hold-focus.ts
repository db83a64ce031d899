/** Whether nothing on the page has the focus: what had it is gone, or only the page itself has it. */
export function isFocusLost(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || active.id === "main";
}

/** Longer no page is drawn; in milliseconds. */
const DRAWN_MS = 10_000;
/** Keys by which somebody reads who stands at the page itself. */
const READING_KEYS = new Set(["PageDown", "PageUp", "ArrowDown", "ArrowUp", "Home", "End", " "]);

/**
 * Makes a function that gives the focus away, now and for ten seconds each time that something is drawn, until the reader does something:
 * parts of a page come later than the page, and may be drawn again. Calling it again ends what it did before.
 */
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
    // What is typed before there is anything to stand at moves nobody away.
    const endWhereFound = ({ key }: KeyboardEvent): void =>
      isFocusLost() && !READING_KEYS.has(key) ? undefined : end();
    document.addEventListener("keydown", endWhereFound, { signal, capture: true });
    give();
  };
}
