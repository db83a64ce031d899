import { expect, it } from "vitest";

import { listLikelyRepeats, type ComparedRun } from "./run";

/** A run of a job at a path, by which it is called. */
function run(path: string, agent = "orca"): ComparedRun {
  const job = { name: path.slice(path.lastIndexOf("/") + 1) };
  const group = { key: agent, agent, model: null, source: "set" };
  return { ref: path, path, job, group } as ComparedRun; // Only these are looked at.
}

it("offers jobs of one folder that only times name, and jobs that differ by a number", () => {
  const runs = [
    run("/x/2026-02-09__01-47-04"),
    run("/x/2026-02-10__00-43-32"),
    run("/x/2026-02-11__00-43-32", "lamp"),
    run("/y/2026-02-09__01-47-04"),
    run("/y/base-1"),
    run("/z/base-2"),
    run("/z/eval"),
  ];
  expect(listLikelyRepeats(runs)).toEqual([
    ["/y/base-1", "/z/base-2"],
    ["/x/2026-02-09__01-47-04", "/x/2026-02-10__00-43-32"],
  ]);
});
