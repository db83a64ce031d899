import { expect, it } from "vitest";

import { findCommands } from "./commands";
import { changeKey, findConflict, getKeys, type KeyChoice, parseKeyChoice, resetKeys } from "./key-choice";
import { COMMAND_IDS, type CommandId, getCommand } from "./key-map";

/** The choice behind a change that must have been taken. */
function taken(change: ReturnType<typeof changeKey>): KeyChoice {
  if (!change.ok) throw new Error(change.why);
  return change.choice;
}

it("has one command a key on each page at first", () => {
  const shared = COMMAND_IDS.filter((id) => !getCommand(id).isFixed).flatMap((id) =>
    getCommand(id).keys.map((key) => [id, key, findConflict({}, id, key)] as const),
  );
  expect(shared.filter(([, , other]) => other !== null)).toEqual([]);
});

it("gives a command another key in the place of the old one", () => {
  const choice = taken(changeKey({}, "review.defer", 1, "v"));
  expect(getKeys(choice, "review.defer")).toEqual(["3", "v"]);
  expect(findCommands(choice, "v")).toEqual(["review.defer"]);
  expect(findCommands(choice, "d")).toEqual(["diff.divergence"]);
});

it("keeps keys that were stored under the former name of a command", () => {
  expect(parseKeyChoice('{"beside.next":["v"],"trial.beside":["o"]}')).toEqual({
    "diff.next": ["v"],
    "trial.diff": ["o"],
  });
});

it("rejects a key of another command on the same page, and names the command", () => {
  expect(changeKey({}, "review.note", 0, "j")).toEqual({
    ok: false,
    why: "j is used by “Next row, step or file”. Change that one first.",
  });
  expect(changeKey({}, "review.defer", 0, "d").ok).toBe(false);
  expect(changeKey({}, "everywhere.filter", 0, "q").ok).toBe(false);
  expect(changeKey({}, "review.note", 0, "Ctrl+p")).toEqual({
    ok: false,
    why: "Ctrl P is reserved by the browser.",
  });
});

it("accepts a key that only commands of other pages have", () => {
  // `q` makes a queue of a list, `p` is the previous difference of two trials.
  expect(findCommands(taken(changeKey({}, "review.note", 0, "q")), "q")).toEqual([
    "review.note",
    "list.queue",
  ]);
  expect(changeKey({}, "review.undo", 0, "p").ok).toBe(false);
  expect(changeKey({}, "queue.skip", 0, "p").ok).toBe(true);
});

it("accepts a freed key, and then rejects a reset of its former command", () => {
  const moved = taken(changeKey({}, "trial.list", 0, "o"));
  const both = taken(changeKey(moved, "trial.diff", 0, "l"));
  expect(resetKeys(both, "trial.list")).toEqual({
    ok: false,
    why: "l is used by “Compare side by side with another attempt”. Change that one first.",
  });
  const one = taken(resetKeys(both, "trial.diff"));
  expect(taken(resetKeys(one, "trial.list"))).toEqual({});
});

it("reads back choices, and skips unknown commands, unknown keys and fixed keys", () => {
  const choice = taken(changeKey({}, "review.note", 0, "v"));
  expect(parseKeyChoice(JSON.stringify(choice))).toEqual({ "review.note": ["v"] });
  const stored: Readonly<Partial<Record<CommandId | "no.command", unknown>>> = {
    "review.note": ["v"],
    "review.undo": ["Ctrl+p"],
    "review.pass": "1",
    "review.defer": ["d"],
    "trial.find": ["f"],
    "no.command": ["v"],
  };
  expect(parseKeyChoice(JSON.stringify(stored))).toEqual({ "review.note": ["v"] });
  for (const text of ["", "[", "null", "7", "[]"]) expect(parseKeyChoice(text)).toEqual({});
});
