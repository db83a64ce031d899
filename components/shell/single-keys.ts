const SINGLE_KEYS_KEY = "assay-single-keys";

/** Whether keys without Ctrl act at all; readers of screens and voice users switch them off in the keyboard sheet. */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(SINGLE_KEYS_KEY) !== "off";
  } catch {
    return true;
  }
}

/** Remembers the choice in this browser. */
export function setSingleKeysOn(on: boolean): void {
  try {
    localStorage.setItem(SINGLE_KEYS_KEY, on ? "on" : "off");
  } catch {
    // Storage may be blocked; the keys then stay on.
  }
}

/** Returns whether a key pressed here is text for a field. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("textarea, select, input:not([type=checkbox]):not([type=radio])"))
  );
}
