import { describe, expect, it } from "vitest";

import { jobFiles, jobResult, makeFolder } from "@/lib/testing/folder.fixture";

import { readCatalog } from ".";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";

describe("names and order", () => {
  it("tells roots of one name apart", () => {
    const one = makeFolder(jobFiles("run", { [A]: 1, [B]: 1 }));
    const two = makeFolder(jobFiles("run", { [A]: 1 }, { id: "b" }));
    const { roots, jobs, issues } = readCatalog({ roots: [one, two, one] });
    expect(roots).toHaveLength(2);
    expect(new Set(roots.map(({ label }) => label)).size).toBe(2);
    expect(roots.every(({ label }) => label.endsWith("/jobs"))).toBe(true);
    expect(new Set(jobs.map(({ job }) => job.key)).size).toBe(2);
    expect(issues.map(({ code }) => code)).toEqual(["trial_id_repeated"]);
  });

  it("gives jobs of one name a key each, by root and folder", () => {
    const folder = makeFolder({
      ...jobFiles("x/run", { [A]: 1 }),
      ...jobFiles("y/run", { [B]: 1 }, { id: "second" }),
      ...jobFiles("alone", { gamma__ccccccc: 1 }, { id: "third" }),
    });
    const keys = readCatalog({ roots: [folder] }).jobs.map(({ job }) => job.key);
    expect(new Set(keys).size).toBe(3);
    expect(keys.filter((key) => /^run~[0-9a-f]{6}$/.test(key))).toHaveLength(2);
    expect(keys).toContain("alone");
  });

  it("lists newest jobs first and those without a time last by name", () => {
    const at = (finished_at: string | null) => ({
      id: String(finished_at),
      finished_at,
      updated_at: null,
      started_at: null,
    });
    const folder = makeFolder({
      "b/result.json": jobResult({ [A]: 1 }, at(null)),
      "a/result.json": jobResult({ [A]: 1 }, { ...at(null), id: "a" }),
      "old/result.json": jobResult({ [A]: 1 }, at("2026-01-01T00:00:00")),
      "new/result.json": jobResult({ [A]: 1 }, at("2026-02-01T00:00:00Z")),
    });
    expect(readCatalog({ roots: [folder] }).jobs.map(({ job }) => job.name)).toEqual([
      "new",
      "old",
      "a",
      "b",
    ]);
  });

  it("says how far it has come", () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
    const seen: string[] = [];
    readCatalog({
      roots: [folder],
      onProgress: ({ nTrialsRead, nTrials }) => seen.push(`${nTrialsRead}/${nTrials}`),
    });
    expect(seen).toEqual(["1/2", "2/2"]);
  });
});
