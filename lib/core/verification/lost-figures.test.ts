import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, onTestFinished, test } from "vitest";

import { dumpPythonJson, type PyValue } from "@/lib/core/scoring";
import { readCatalog } from "@/lib/read/catalog";

import { readCorpusJob, readDocument } from "./corpus.fixture";

type Document = Map<string, PyValue>;

/** A copy of a job that Harbor 0.26.0 wrote. */
function copyJob(scenario: string): string {
  const folder = join(mkdtempSync(join(tmpdir(), "assay-lost-")), scenario);
  onTestFinished(() => rmSync(join(folder, ".."), { recursive: true }));
  const source = new URL(`corpus/jobs/0.26.0/${scenario}/${scenario}`, import.meta.url);
  cpSync(fileURLToPath(source), folder, { recursive: true });
  return folder;
}

/** Changes every document that matches. */
function edit(folder: string, pattern: string, change: (document: Document) => void): void {
  const files = globSync(pattern, { cwd: folder });
  expect(files).not.toEqual([]);
  for (const file of files) {
    const document = readDocument(join(folder, file));
    change(document);
    writeFileSync(join(folder, file), dumpPythonJson(document));
  }
}

function inside(document: Document, ...keys: readonly string[]): Document {
  return keys.reduce<Document>((value, key) => {
    const next = value.get(key);
    if (!(next instanceof Map)) throw new Error(`no object at ${key}`);
    return next;
  }, document);
}

function firstOf(document: Document): Document {
  const [value] = document.values();
  if (!(value instanceof Map)) throw new Error("no object");
  return value;
}

function judge(folder: string) {
  const { report } = readCorpusJob(folder);
  const open = report.figures.filter(({ verdict }) => verdict !== "exact" && verdict !== "explained");
  return { verdict: report.verdict, open: open.map(({ path, verdict }) => `${verdict} ${path}`), report };
}

describe("a trial folder that is copied inside its job", () => {
  test.each(["{}.bak", "old/{}", "a/{}"])("counts once as %s", (place) => {
    const folder = copyJob("single-key");
    const [name = ""] = globSync("alpha__*", { cwd: folder });
    const before = readCorpusJob(folder);
    cpSync(join(folder, name), join(folder, place.replace("{}", name)), { recursive: true });
    const { jobs, issues } = readCatalog({ roots: [folder] });
    expect(jobs.map(({ report }) => report)).toEqual([before.report]);
    expect(jobs[0]?.trials).toEqual(before.trials);
    expect(issues.map(({ code }) => code)).toEqual(["trial_id_repeated"]);
  });
});

describe("a job's result.json that is lost", () => {
  test.each<[string, (file: string) => void]>([
    ["removed", (file) => rmSync(file)],
    ["emptied", (file) => truncateSync(file)],
    ["torn", (file) => truncateSync(file, 300)],
    ["no object", (file) => writeFileSync(file, "[]")],
  ])("leaves its figures incomplete and is named: %s", (_, lose) => {
    const folder = copyJob("single-key");
    lose(join(folder, "result.json"));
    const { verdict, open, report } = judge(folder);
    expect(verdict).toBe("incomplete");
    expect(report.groups.map((group) => group.verdict)).toEqual(["incomplete"]);
    expect(open).toContain("incomplete outcome");
    expect(report.counts.mismatch).toBe(0);
    expect(report.figures.find(({ kind }) => kind === "outcome")?.reason).toContain("result.json");
  });

  test("is not missed where a trial did not end, or the Harbor may have written none", () => {
    const cut = copyJob("single-key");
    rmSync(join(cut, "result.json"));
    const [name = ""] = globSync("alpha__*", { cwd: cut });
    rmSync(join(cut, name, "result.json"));
    expect(judge(cut).open).not.toContain("incomplete outcome");
    const old = fileURLToPath(
      new URL("corpus/jobs/0.5.0/keys-that-stop-a-job/keys-that-stop-a-job", import.meta.url),
    );
    expect(judge(old).open).not.toContain("incomplete outcome");
  });
});

describe("recorded validity that is removed", () => {
  const removals: Readonly<Record<string, (result: Document) => void>> = {
    reward_valid: (result) => result.delete("reward_valid"),
    schema_version: (result) => result.delete("schema_version"),
    policy: (result) =>
      result.get("exception_info") !== null && inside(result, "exception_info").delete("policy"),
    config: (result) => inside(result, "config").delete("schema_version"),
  };

  test.each([
    ["reward_valid schema_version policy"],
    ["reward_valid schema_version policy config"],
    ["reward_valid schema_version"],
    ["reward_valid policy"],
    ["policy"],
  ])("is expected of each trial without %s", (names) => {
    const folder = copyJob("policy-errors");
    edit(folder, "*/result.json", (result) => names.split(" ").forEach((name) => removals[name]?.(result)));
    const { trials, report } = readCorpusJob(folder);
    const missing = report.figures.filter(({ verdict }) => verdict === "mismatch");
    const nRewards = names.includes("reward_valid") ? trials.length : 0;
    const nPolicies = names.includes("policy")
      ? trials.filter(({ exception }) => exception !== null).length
      : 0;
    expect(missing.filter(({ kind }) => kind === "reward-valid")).toHaveLength(nRewards);
    expect(missing.filter(({ kind }) => kind === "error-policy")).toHaveLength(nPolicies);
  });

  test("is not expected of older trials of a job that 0.26 resumed", () => {
    const folder = copyJob("policy-errors");
    edit(folder, "lock.json", (lock) => inside(lock, "harbor").set("version", "0.25.0"));
    edit(folder, "*/result.json", (result) => Object.values(removals).forEach((remove) => remove(result)));
    expect(judge(folder).verdict).toBe("exact");
  });
});

describe("rewards that are removed although the verifier left them", () => {
  test.each(["single-key/alpha__*", "policy-override/beta__*"])("are a mismatch in %s", (pattern) => {
    const [scenario = "", trial = ""] = pattern.split("/");
    const folder = copyJob(scenario);
    edit(folder, `${trial}/result.json`, (result) => result.set("verifier_result", null));
    expect(judge(folder).open).toContainEqual(expect.stringMatching(/^mismatch (alpha|beta)__\w+$/));
  });

  const steps = (result: Document): Document[] => {
    const list = result.get("step_results");
    return Array.isArray(list) ? (list as Document[]) : [];
  };

  test.each<[string, (result: Document) => void, RegExp]>([
    [
      "a step's",
      (result) => steps(result)[1]?.set("verifier_result", null),
      /^mismatch alpha__\w+\/steps\/\w+$/,
    ],
    [
      "a step",
      (result) => result.set("step_results", steps(result).toSpliced(1, 1)),
      /^mismatch alpha__\w+\/steps\/\w+$/,
    ],
    ["all steps", (result) => result.set("step_results", null), /^mismatch alpha__\w+\/steps$/],
    ["the trial's", (result) => result.set("verifier_result", null), /^mismatch alpha__\w+\/steps$/],
  ])("are a mismatch: %s", (_, change, expected) => {
    const folder = copyJob("policy-steps");
    edit(folder, "alpha__*/result.json", change);
    expect(judge(folder).open).toContainEqual(expect.stringMatching(expected));
  });

  test("are none where an error of the verifier may have kept them out", () => {
    const folder = copyJob("policy-override");
    edit(folder, "beta__*/result.json", (result) => {
      result.set("verifier_result", null);
      inside(result, "exception_info").set(
        "occurred_at",
        inside(result, "verifier").get("finished_at") ?? null,
      );
    });
    expect(judge(folder).open).toContainEqual(expect.stringMatching(/^not-recorded beta__\w+$/));
  });
});

describe("a schema_version that cannot be read", () => {
  test.each<[PyValue]>([["2"], [1.5], [true], [null], [[]]])(
    "is an unknown rule and no proof of the old one: %j",
    (value) => {
      const folder = copyJob("single-key");
      edit(folder, "result.json", (result) => result.set("schema_version", value));
      const { verdict, open, report } = judge(folder);
      expect({ verdict, open }).toEqual({ verdict: "unknown-rule", open: ["unknown-rule outcome"] });
      expect(report.figures.find(({ kind }) => kind === "outcome")?.reason).toMatch(
        /schema_version.*result\.json/,
      );
      edit(folder, "result.json", (result) => {
        firstOf(inside(result, "stats", "evals")).set("n_trials", 5n);
      });
      expect(judge(folder)).toMatchObject({ verdict: "unknown-rule", report: { counts: { mismatch: 0 } } });
    },
  );
});

describe("a figure that Harbor writes while a job runs", () => {
  test.each(["n_errored_trials", "n_retries", "n_input_tokens", "cost_usd"])("is expected: %s", (name) => {
    const folder = copyJob("cut-off");
    edit(folder, "result.json", (result) => inside(result, "stats").delete(name));
    expect(judge(folder).open).toContain(`mismatch stats.${name}`);
  });

  test.each(["n_trials", "n_errors", "reward_stats"])("is expected of a group: %s", (name) => {
    const folder = copyJob("cut-off");
    edit(folder, "result.json", (result) => firstOf(inside(result, "stats", "evals")).delete(name));
    expect(judge(folder).open).toContainEqual(
      expect.stringMatching(new RegExp(`^mismatch stats\\.evals\\..*\\.${name}`)),
    );
  });

  test("is not expected where nothing proves it: metrics and pass@k", () => {
    const folder = copyJob("cut-off");
    const before = readFileSync(join(folder, "result.json"), "utf8");
    edit(folder, "result.json", (result) => firstOf(inside(result, "stats", "evals")).delete("pass_at_k"));
    expect(judge(folder).report.counts.mismatch).toBe(0);
    writeFileSync(join(folder, "result.json"), before);
    expect(judge(folder).report.counts.mismatch).toBe(0);
  });
});
