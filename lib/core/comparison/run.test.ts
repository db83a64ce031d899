import { expect, it } from "vitest";

import { nameSets } from "./run";

interface Part {
  readonly path: string;
  readonly agent?: string;
  readonly key?: string;
}

/** Groups of one run each. */
function name(...parts: readonly Part[]): readonly string[] {
  return nameSets(
    parts.map(({ path, agent = "orca", key = "orca__m__set" }) => {
      const group = { key, agent, model: "m", provider: null, source: "set" };
      const job = { name: path.split("/").at(-1) ?? "" };
      return { runs: [{ path, group, job }], setup: "" } as unknown as Parameters<typeof nameSets>[0][number]; // Only these are looked at.
    }),
  );
}

it("tells jobs of one name apart by the shortest folder, and leaves other names as they are", () => {
  expect(name({ path: "/x/a/b/job" }, { path: "/x/c/b/job" }, { path: "/x/c/other" })).toEqual([
    "job (a)",
    "job (c)",
    "other",
  ]);
  expect(name({ path: "/x/a/job" }, { path: "/x/c/job", agent: "tern" })).toEqual(["orca", "tern"]);
});

it("gives no two groups one name", () => {
  expect(new Set(name({ path: "/x/job" }, { path: "/x/job" })).size).toBe(2);
  expect(new Set(name({ path: "/x/job" }, { path: "/x/job/job" }, { path: "/x/y/job" })).size).toBe(3);
});
