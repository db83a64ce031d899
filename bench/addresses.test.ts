import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { listPageKinds } from "./addresses";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  for (const job of ["bench-0000", "bench-0001"]) {
    for (const trial of ["a__1", "b__2", "c__3"]) mkdirSync(join(folder, job, trial), { recursive: true });
    writeFileSync(
      join(folder, job, "result.json"),
      JSON.stringify({ stats: { evals: { orca__x: {}, lamp__y: {} } } }),
    );
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("addresses", () => {
  it.each([["bench-0000"], ["bench-0000", "bench-0001"]])("never come twice with %s", (...jobs) => {
    const kinds = listPageKinds({ label: "6", trials: 6, folder, data: "", jobs });
    expect(kinds.map(({ name }) => name)).toContain("job, trials");
    for (const { name, distinct } of kinds) {
      const paths = Array.from({ length: 3_000 }, (_, index) => distinct(index));
      expect([name, new Set(paths).size]).toEqual([name, 3_000]);
    }
  });
});
