import { expect, it } from "vitest";

import type { TrajectoryStep } from "@/lib/core/domain/trajectory";

import { NO_TRAJECTORY } from "../steps";
import { prepareDiffSteps, foldRows, placeAmongDifferences } from "./diff-steps";

const text = (said: string) => ({ kind: "text", text: said }) as const;
/** `tool argument > result`, several parted by `|`; anything else is a message. */
function makeStep(line: string, index: number): TrajectoryStep {
  const calls = line.split("|").flatMap((part) => {
    const [, name, argument = "", result = ""] = /^ ?(\w+) (.*?) > (.*)$/.exec(part.trim()) ?? [];
    const results = [{ parts: [text(result)], lanes: [] }];
    return name === undefined
      ? []
      : [
          {
            id: null,
            name,
            headline: argument,
            argumentsText: argument,
            otherArguments: "",
            argumentsJson: null,
            files: [],
            edit: null,
            results,
          },
        ];
  });
  return {
    key: String(index + 1),
    index,
    statedId: null,
    lane: "main",
    depth: 0,
    phase: null,
    file: "agent/trajectory.json",
    source: "agent",
    at: null,
    durationMs: null,
    reasoning: null,
    message: calls.length > 0 ? [] : [text(line)],
    calls,
    results: [],
    usage: null,
    marks: line.includes("exit 1") ? [{ kind: "exit", label: "exit 1", stated: true }] : [],
    copied: false,
  };
}

const makeSide = (lines: readonly string[], path: string) => ({
  trajectory: { ...NO_TRAJECTORY, steps: lines.map(makeStep) },
  path,
});
const EVERY_ROW = { row: null, from: null, isUnfolded: true };

function compare(a: readonly string[], b: readonly string[], paths = ["/a", "/b"]) {
  const [one = "", other = ""] = paths;
  const steps = prepareDiffSteps(makeSide(a, one), makeSide(b, other), EVERY_ROW);
  const name = (cell: (typeof steps.lines)[number]["a"]) =>
    cell?.kind === "step" ? `${cell.step.key}${cell.count > 1 ? `.${cell.nth + 1}` : ""}` : "-";
  return { ...steps, rows: steps.lines.map((line) => `${name(line.a)} ${line.relation} ${name(line.b)}`) };
}

it("gives the relation of each call and message, and the first differing call", () => {
  const { rows, divergence, calls, counts } = compare(
    ["hello", "read a.py > x", "run make > ok", "edit a.py 1 > done", "bye"],
    ["hello there", "read a.py > x", "run make > exit 1", "list . > a.py", "edit a.py 2 > done", "bye"],
  );
  expect(rows).toEqual(["1 text 1", "2 same 2", "3 result 3", "- only-b 4", "4 call 5", "5 same 6"]);
  expect(divergence).toEqual({ row: 3, a: null, b: "4", places: { a: null, b: 3 } });
  expect(calls).toEqual({ a: 3, b: 4, same: 2 });
  expect(counts).toEqual({ same: 2, result: 1, call: 1, text: 1, "only-a": 0, "only-b": 1 });
});

it("aligns calls that one agent makes at once with those that the other makes one by one", () => {
  const { rows, divergence } = compare(
    ["read a > 1", "read b > 2", "run x > y"],
    ["read a > 1 | read b > 2", "run x > y"],
  );
  expect(rows).toEqual(["1 same 1.1", "2 same 1.2", "3 same 2"]);
  expect(divergence).toBeNull();
});

it("says nothing of a divergence where one side has no steps or neither makes a call that differs", () => {
  expect(compare([], ["read a > 1"])).toMatchObject({ rows: ["- only-b 1"], divergence: null });
  expect(compare(["one", "two"], ["one", "2"]).divergence).toMatchObject({ row: 1 });
  expect(compare(["read a > 1", "two"], ["read a > 2", "2"]).divergence).toBeNull();
  expect(compare(["read a > 1", "list b > 2"], ["well", "read a > 1"]).divergence).toMatchObject({ a: "2" });
});

it("has the same rows when the two change places", () => {
  const a = ["run 1 > x", "run 2 > x", "run 1 > x", "list q > y", "run 3 > x"];
  const b = ["run 2 > x", "run 1 > x", "run 2 > x", "read w > y", "run 3 > z"];
  const there = compare(a, b);
  const back = compare(b, a, ["/b", "/a"]);
  const swap = (row: string) => {
    const [one, relation = "", other] = row.split(" ");
    const swapped = { "only-a": "only-b", "only-b": "only-a" }[relation] ?? relation;
    return `${other} ${swapped} ${one}`;
  };
  expect(back.rows.map(swap)).toEqual(there.rows);
  expect(back.divergence?.row).toBe(there.divergence?.row);
});

it("folds equal rows up to the one before a difference, and opens a fold from the asked row on", () => {
  const relations = [...Array<"same">(8).fill("same"), "call", ...Array<"only-b">(4).fill("only-b")] as const;
  const show = (opened: number | null) =>
    foldRows(relations, 8, opened).map(({ from, to, isFolded }) => `${isFolded ? "fold " : ""}${from}-${to}`);
  expect(show(null)).toEqual(["fold 0-7", "7-8", "8-9", "fold 9-13"]);
  expect(show(11)).toEqual(["fold 0-7", "7-8", "8-9", "fold 9-11", "11-12", "12-13"]);
  const place = (row: number | null) => placeAmongDifferences(relations, 8, row);
  expect(place(null)).toEqual({ total: 2, number: null, previous: null, next: 8 });
  expect(place(3)).toEqual({ total: 2, number: null, previous: null, next: 8 });
  expect(place(8)).toEqual({ total: 2, number: 1, previous: null, next: 9 });
  expect(place(12)).toEqual({ total: 2, number: 2, previous: 8, next: null });
});

it("highlights both sides within one limit of spans", () => {
  const lines = Array.from({ length: 50 }, (_, at) => `read a.py > ${"if x ".repeat(60)}${String(at)}`);
  const steps = prepareDiffSteps(makeSide(lines, "/a"), makeSide(lines, "/b"), EVERY_ROW);
  const count = (cell: (typeof steps.lines)[number]["a"]) =>
    cell?.kind === "step" ? [...JSON.stringify(cell.step.blocks).matchAll(/"strong":/gu)].length : 0;
  const nSpans = steps.lines.reduce((sum, { a, b }) => sum + count(a) + count(b), 0);
  expect(nSpans).toBeGreaterThan(4_000);
  expect(nSpans).toBeLessThanOrEqual(5_000);
});
