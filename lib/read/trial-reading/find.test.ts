import { describe, expect, it } from "vitest";

import { readTrajectory } from "@/lib/read/loader/detail";
import { makeFolder } from "@/lib/testing/folder.fixture";

import { findInSteps } from "./choose-steps";
import type { FindRequest } from "./stoppable-search";

const call = (command: string, content: string) => ({
  source: "agent",
  message: "",
  tool_calls: [{ tool_call_id: "c", function_name: "bash", arguments: { command } }],
  observation: { results: [{ source_call_id: "c", content }] },
});

const STEPS = [
  { source: "user", message: "Build the Wheel (v1.0)." },
  call("ls wheel", "\u001B[31mwhe\u001B[0mel.py wheel.txt"),
  { source: "agent", message: "Nothing here.", reasoning_content: "No wheel? A wheel!" },
  call("make", "done\nwheel"),
];

async function find(text: string, rest: Partial<FindRequest> = {}, current: number | null = null) {
  const { steps } = await readTrajectory(
    makeFolder({ "agent/trajectory.json": { schema_version: "ATIF-v1.7", steps: STEPS } }),
  );
  return findInSteps(steps, { text, isPattern: false, isCased: false, ...rest }, current);
}

describe("find in a trajectory", () => {
  it("counts every match in what is said, thought, called and returned, colours of terminals apart", async () => {
    const found = await find("wheel");
    expect([found.nMatches, found.nSteps]).toEqual([7, 4]);
    expect(found.steps.map(({ key, nMatches, match }) => [key, nMatches, match])).toEqual([
      ["1", 1, "Wheel"],
      ["2", 3, "wheel"],
      ["3", 2, "wheel"],
      ["4", 1, "wheel"],
    ]);
    expect(found.steps[0]).toMatchObject({ before: "Build the ", after: " (v1.0)." });
  });

  it("takes a text literally unless it is a pattern, and matches case if asked", async () => {
    expect((await find("(v1.0)")).nMatches).toBe(1);
    expect((await find("v1x0")).nMatches).toBe(0);
    expect((await find("^wheel$", { isPattern: true })).steps.map(({ key }) => key)).toEqual(["4"]);
    expect((await find("wheel", { isCased: true })).nMatches).toBe(6);
    expect((await find("x*", { isPattern: true })).hasMore).toBe(false);
  });

  it("goes from the open step to the next and the previous one, around the ends", async () => {
    const keys = async (current: number | null) => {
      const { firstKey, nextKey, previousKey } = await find("wheel", {}, current);
      return [firstKey, previousKey, nextKey];
    };
    expect(await keys(null)).toEqual(["1", "4", "2"]);
    expect(await keys(1)).toEqual(["1", "1", "3"]);
    expect(await keys(3)).toEqual(["1", "3", "1"]);
    expect(await find("nowhere")).toMatchObject({
      nSteps: 0,
      nextKey: null,
      previousKey: null,
      problem: null,
    });
  });

  it("sees a call's text from its beginning, an edit as it is drawn, and steps beyond the matches that it counts", async () => {
    const edit = { file_path: "a.py", old_string: "x", new_string: "y" };
    const steps = [
      { source: "agent", message: "e".repeat(10_050) },
      { ...call("git status", ""), message: "the end" },
      { source: "agent", message: "", tool_calls: [{ function_name: "edit", arguments: edit }] },
    ];
    const read = await readTrajectory(
      makeFolder({ "agent/trajectory.json": { schema_version: "ATIF-v1.7", steps } }),
    );
    const count = (text: string) => findInSteps(read.steps, { text, isPattern: true, isCased: false }, null);
    expect(count("^git").nSteps).toBe(1);
    expect(count("old_string").nSteps).toBe(0);
    expect(count("e")).toMatchObject({ nMatches: 10_000, hasMore: true, nSteps: 3, nextKey: "2" });
  });

  it("says what is wrong with a pattern, and stops one that never ends", async () => {
    expect((await find("(", { isPattern: true })).problem).toMatch(/Not a regular expression.*group/);
    const endless = await readTrajectory(
      makeFolder({ "agent/trajectory.json": { steps: [{ source: "agent", message: "a".repeat(40) }] } }),
    );
    const request = { text: "(a+)+$b", isPattern: true, isCased: false };
    expect(findInSteps(endless.steps, request, null).problem).toContain("too long");
  });
});
