export type KeyPress = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "getModifierState"
>;

const NO_KEYS = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "Dead", "Process"]);
const SIGN = /^[^\p{L}\p{N}\s]$/u;

/** Names the key, best match first (`Shift+3` is the digit key). Alt is the system's; AltGr counts for signs only. */
export function readChords(press: KeyPress): readonly string[] {
  const { key, shiftKey } = press;
  if (NO_KEYS.has(key) || key.trim() === "") return [];
  if (press.getModifierState("AltGraph")) return SIGN.test(key) ? [key] : [];
  if (press.altKey) return [];
  if (press.ctrlKey || press.metaKey) {
    const shift = shiftKey ? "Shift+" : "";
    return readLetters(press).map((one) => `Ctrl+${shift}${one.length === 1 ? one.toLowerCase() : one}`);
  }
  if (key.length > 1) return [shiftKey ? `Shift+${key}` : key];
  const digit = /^Digit([1-9])$/.exec(press.code)?.[1];
  if (digit !== undefined) return shiftKey ? [`Shift+${digit}`, key] : [...new Set([key, digit])];
  return readLetters(press);
}

function readLetters(press: KeyPress): readonly string[] {
  const { key, code, shiftKey } = press;
  if (key.length > 1 || !/\p{L}/u.test(key)) return [key];
  const inCase = (letter: string) => (shiftKey ? letter.toUpperCase() : letter.toLowerCase());
  const typed = press.getModifierState("CapsLock") ? inCase(key) : key;
  const latin = /^[a-z]$/i.test(key) ? undefined : /^Key([A-Z])$/.exec(code)?.[1];
  return latin === undefined ? [typed] : [typed, inCase(latin)];
}

const KEY_SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
};

export function formatChord(chord: string): string {
  const [, control = "", shift = "", key = ""] = /^(Ctrl\+)?(Shift\+)?(.+)$/su.exec(chord) ?? [];
  const sign = KEY_SIGNS[key] ?? key;
  if (control === "") return `${shift === "" ? "" : "⇧"}${sign}`;
  const name = key === "Enter" ? "↵" : sign;
  return `Ctrl ${shift === "" ? "" : "⇧"}${name.length === 1 ? name.toUpperCase() : name}`;
}

const ONE_SIGN = /^\S$/u;
const OWN_CONTROL = /^Ctrl\+([bdeghijkmoqsu]|Enter)$/;
const OWN_ARROW = /^(Shift\+)?Arrow(Left|Right)$/;

export function refuseChord(chord: string): string | null {
  if (ONE_SIGN.test(chord) || OWN_CONTROL.test(chord) || OWN_ARROW.test(chord)) return null;
  if (/^Shift\+\d$/.test(chord)) return "Shift with a digit toggles a category.";
  return chord.startsWith("Ctrl+")
    ? `${formatChord(chord)} is reserved by the browser.`
    : `${formatChord(chord)} keeps its usual meaning.`;
}
