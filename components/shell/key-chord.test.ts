import { describe, expect, it } from "vitest";

import { formatChord, type KeyPress, readChords, refuseChord } from "./key-chord";

/** A key as browsers report it; `states` are the modifiers that only `getModifierState` tells. */
function press(
  key: string,
  code: string,
  held: Partial<KeyPress> = {},
  states: readonly string[] = [],
): KeyPress {
  return {
    key,
    code,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...held,
    getModifierState: (name) => states.includes(name),
  };
}

const shift = { shiftKey: true };

describe("names of pressed keys", () => {
  it.each([
    ["a letter", press("j", "KeyJ"), ["j"]],
    ["a capital", press("J", "KeyJ", shift), ["J"]],
    ["the typed letter on another layout", press("q", "KeyA"), ["q"]],
    ["a letter with Caps Lock", press("J", "KeyJ", {}, ["CapsLock"]), ["j"]],
    ["a capital with Caps Lock", press("j", "KeyJ", shift, ["CapsLock"]), ["J"]],
    ["a letter of another script", press("о", "KeyJ"), ["о", "j"]],
    ["a digit", press("1", "Digit1"), ["1"]],
    ["a digit of the number pad", press("1", "Numpad1"), ["1"]],
    ["a digit that needs Shift", press("&", "Digit1"), ["&", "1"]],
    ["a digit with Shift", press("!", "Digit1", shift), ["Shift+1", "!"]],
    ["a digit with Shift in France", press("1", "Digit1", shift), ["Shift+1", "1"]],
    ["an arrow", press("ArrowRight", "ArrowRight"), ["ArrowRight"]],
    ["an arrow with Shift", press("ArrowRight", "ArrowRight", shift), ["Shift+ArrowRight"]],
    ["Ctrl", press("s", "KeyS", { ctrlKey: true }), ["Ctrl+s"]],
    ["Cmd", press("Enter", "Enter", { metaKey: true }), ["Ctrl+Enter"]],
    ["Ctrl and Shift", press("S", "KeyS", { ctrlKey: true, shiftKey: true }), ["Ctrl+Shift+s"]],
    ["Ctrl in another script", press("ы", "KeyS", { ctrlKey: true }), ["Ctrl+ы", "Ctrl+s"]],
    ["a sign", press("?", "Slash", shift), ["?"]],
  ])("%s", (_, event, chords) => expect(readChords(event)).toEqual(chords));

  it("takes signs with AltGr as text, with any reported modifiers, but not letters and digits", () => {
    const altGr = { ctrlKey: true, altKey: true };
    expect(readChords(press("{", "Digit7", altGr, ["AltGraph"]))).toEqual(["{"]);
    expect(readChords(press("ń", "KeyN", altGr, ["AltGraph"]))).toEqual([]);
    expect(readChords(press("³", "Digit3", altGr, ["AltGraph"]))).toEqual([]);
  });

  it.each([
    ["Alt and an arrow", press("ArrowLeft", "ArrowLeft", { altKey: true })],
    ["Alt and Ctrl", press("s", "KeyS", { altKey: true, ctrlKey: true })],
    ["Shift alone", press("Shift", "ShiftLeft", shift)],
    ["a dead key", press("Dead", "BracketLeft")],
    ["a key of an input method", press("Process", "KeyN")],
    ["Space", press(" ", "Space")],
  ])("nothing: %s", (_, event) => expect(readChords(event)).toEqual([]));
});

it("shows keys as their caps are printed", () => {
  const all = [
    "j",
    "#",
    "ArrowLeft",
    "Shift+ArrowRight",
    "Shift+1",
    "Ctrl+s",
    "Ctrl+Enter",
    "Escape",
    "Enter",
  ];
  expect(all.map(formatChord)).toEqual(["j", "#", "←", "⇧→", "⇧1", "Ctrl S", "Ctrl ↵", "Esc", "Enter"]);
});

it.each([
  "Ctrl+f",
  "Ctrl+p",
  "Ctrl+w",
  "Ctrl+Shift+t",
  "Tab",
  "Enter",
  "Escape",
  "ArrowDown",
  "F5",
  "Shift+4",
])("leaves %s to the browser and to the page", (chord) =>
  expect(refuseChord(chord)).toMatch(/^(Ctrl|Tab|Enter|Esc|↓|F5|Shift).*\.$/),
);

it.each(["j", "#", "ö", "9", "Ctrl+e", "Shift+ArrowLeft"])("gives %s to a command", (chord) =>
  expect(refuseChord(chord)).toBeNull(),
);
