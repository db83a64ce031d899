import { rmSync, symlinkSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { evalsKey } from "@/lib/core/scoring";
import { readCatalog } from "@/lib/read/catalog";
import { jobFiles, listIssues, makeFolder, readOnlyJob } from "@/lib/testing/folder.fixture";

import { readLedgerDerivedDetails } from "./ledger-details";
import {
  evaluation,
  EXPERIMENT,
  FIRST,
  firstRecord,
  MANIFEST,
  SECOND,
  secondRecord,
  WRITTEN,
} from "./ledger.fixture";

const NOW = () => Date.parse("2026-03-13T10:10:00Z");
const BROKEN = `${EXPERIMENT}/broken.json`;

/** The only trial of an experiment with this record of version 2. */
function readSecond(over: Parameters<typeof secondRecord>[0]) {
  const folder = makeFolder({ [SECOND]: secondRecord(over), [MANIFEST]: WRITTEN[MANIFEST] });
  const job = readOnlyJob(folder);
  return { ...job, trial: job.trials[0] };
}

describe("a ledger as its own writers left it", () => {
  it("is one job whose trials are its records, with nothing to report", () => {
    const { job, trials, report, issues } = readOnlyJob(makeFolder(WRITTEN));
    expect(issues).toEqual([]);
    expect(job).toMatchObject({
      kind: "ledger",
      key: "experiment-001",
      uuid: "experiment-001",
      state: "unknown",
    });
    expect(trials.map((trial) => [trial.trialName, trial.folder, trial.ledger?.version])).toEqual([
      ["brisbane-8rm__BHVuXg2", FIRST, 1],
      ["trial-001", SECOND, 2],
    ]);
    expect(trials.map(evalsKey)).toEqual([
      "tool_loop__anthropic:claude-sonnet-4-20250514__au-core@v1",
      "tool_loop__anthropic:claude-sonnet-4-20250514__adhoc",
    ]);
    expect(report.verdict).toBe("not-recorded");
    expect(report.counts).toMatchObject({ exact: 0, mismatch: 0, incomplete: 0 });
    expect(report.groups.map(({ metrics }) => metrics[0]?.value?.get("mean"))).toEqual([0.93, 0.93]);
  });

  it("gives rewards, times, cost and provenance as they are written", () => {
    const [first, second] = readOnlyJob(makeFolder(WRITTEN)).trials;
    expect(first).toMatchObject({
      jobUuid: "experiment-001",
      taskName: "electrical/voltage-drop/au-office-fitout",
      taskDigest: "git-sha-task",
      agentVersion: "git-sha-adapter",
      rewards: new Map([["reward", 0.93]]),
      outcome: "partial",
      tokens: { inputTokens: 131093, cacheTokens: null, outputTokens: 9283, costUsd: 0.25379475 },
    });
    for (const trial of [first, second]) {
      const { startedAt, finishedAt } = trial?.time ?? {};
      expect((finishedAt?.epochMs ?? 0) - (startedAt?.epochMs ?? 0)).toBe(12_000);
    }
    expect(second).toMatchObject({ source: null, attempt: 1, exception: null, steps: null });
    expect(second?.tokens.costUsd).toBeNull();
  });

  it("is found from the ledger and from the experiment itself, next to jobs of Harbor", () => {
    const folder = makeFolder({ ...WRITTEN, ...jobFiles("jobs/nightly", { alpha__aaaaaaa: 1 }) });
    const list = (path: string) =>
      readCatalog({ roots: [path] }).jobs.map(({ job, trials }) => [job.kind, job.folder, trials.length]);
    expect(list(folder)).toEqual([
      ["harbor", "jobs/nightly", 1],
      ["ledger", EXPERIMENT, 2],
    ]);
    expect(list(`${folder}/ledger`)).toEqual([["ledger", "experiment-001", 2]]);
    expect(list(`${folder}/${EXPERIMENT}`)).toEqual([["ledger", "", 2]]);
  });

  it("excludes files that a ledger keeps next to its records", () => {
    const folder = makeFolder({
      ...WRITTEN,
      [`${EXPERIMENT}/_evaluations/summary.json`]: secondRecord(),
      "ledger/_artifacts/ab/record.json": secondRecord(),
      [`${EXPERIMENT}/nested/trial-9.json`]: firstRecord({ trial_id: "trial-9" }),
    });
    const found = readCatalog({ roots: [folder] }).jobs.map(
      ({ job, trials }) => `${job.folder} ${trials.length}`,
    );
    expect(found.sort()).toEqual([`${EXPERIMENT} 2`, `${EXPERIMENT}/nested 1`]);
  });
});

describe("rewards of a record", () => {
  it.each<[string, unknown, string]>([
    ["above 1", 1.2, "evaluation.reward: Value error, reward must be between 0.0 and 1.0"],
    ["below 0", -0.1, "evaluation.reward: Value error, reward must be between 0.0 and 1.0"],
    ["no number", "93%", "evaluation.reward: Input should be a valid number"],
  ])("that are %s are refused, and the trial stays", (_, reward, detail) => {
    const { trial, issues } = readSecond({ evaluation: evaluation({ reward }) });
    expect(trial).toMatchObject({ state: "finished", outcome: "unscored", rewards: null });
    expect(trial?.rewardsProblem).toContain(detail);
    expect(issues).toMatchObject([{ code: "rewards_invalid", path: `jobs/${SECOND}` }]);
    expect(issues[0]?.detail).toContain(detail);
  });

  it("that are NaN are refused, not read as a number or as 0", () => {
    const text = JSON.stringify(secondRecord({ evaluation: evaluation({ reward: 9 }) }));
    const folder = makeFolder({
      [SECOND]: text.replace('"reward":9', '"reward": NaN'),
      [MANIFEST]: WRITTEN[MANIFEST],
    });
    expect(readOnlyJob(folder).trials[0]).toMatchObject({ rewards: null, outcome: "unscored" });
    expect(listIssues(folder)).toEqual([`rewards_invalid jobs/${SECOND}`]);
  });

  it("break the rule about unparseable outputs, and version 2 also that about invalid ones", () => {
    const validity = { output_parseable: true, schema_valid: false, verifier_completed: true };
    expect(readSecond({ evaluation: evaluation({ validity }) }).trial?.rewards).toBeNull();
    const first = makeFolder({ [FIRST]: firstRecord({ evaluation: evaluation({ validity }) }) });
    expect(readOnlyJob(first).trials[0]?.rewards).toEqual(new Map([["reward", 0.93]]));
  });

  it("stay when another part of the evaluation is broken", () => {
    const annotations = [{ reviewer_id: "a", judgment: "maybe", timestamp: "2026-03-13T10:00:00Z" }];
    const { trial, issues } = readSecond({ evaluation: evaluation({ annotations, stray: 1 }) });
    expect(trial?.rewards).toEqual(new Map([["reward", 0.93]]));
    expect(issues).toMatchObject([{ code: "field_invalid" }]);
    expect(issues[0]?.detail).toContain("evaluation.annotations.0.judgment");
    expect(issues[0]?.detail).toContain("evaluation.stray");
  });

  it("are unknown without an evaluation, which is neither 0 nor an issue", () => {
    const { trial, issues, report } = readSecond({ evaluation: null, evaluation_status: "pending" });
    expect(trial).toMatchObject({ rewards: null, rewardsProblem: null, outcome: "unscored" });
    expect(issues).toEqual([]);
    expect(report.groups[0]?.metrics[0]?.value).toBeNull();
  });

  it("are averaged over evaluated trials, as the ledger's own reports average them", () => {
    const folder = makeFolder({
      [SECOND]: secondRecord(),
      [`${EXPERIMENT}/trial-002.json`]: secondRecord({ trial_id: "trial-002", evaluation: null }),
      [MANIFEST]: WRITTEN[MANIFEST],
    });
    const { report, trials } = readOnlyJob(folder);
    expect(trials.map(({ rewards }) => rewards?.get("reward") ?? null)).toEqual([0.93, null]);
    expect(report.groups[0]?.metrics[0]?.value?.get("mean")).toBe(0.93);
  });
});

describe("how a trial ended", () => {
  const failed = (message: string | null) => ({
    evaluation: null,
    execution_status: "failed",
    output: { agent_output: { status: "failed", error_message: message }, final_reason: "budget" },
  });

  it.each<[string, Parameters<typeof secondRecord>[0], string, string | null]>([
    ["completed without an evaluation", { evaluation: null }, "unscored", null],
    ["failed with a named error", failed("asyncio.TimeoutError: 600 s are over"), "timeout", "TimeoutError"],
    ["failed with other words", failed("no output"), "errored", "failed"],
    ["cancelled", { evaluation: null, execution_status: "cancelled" }, "cancelled", "cancelled"],
    ["invalid", { evaluation: null, execution_status: "invalid" }, "errored", "invalid"],
    [
      "failed and yet scored 1",
      { ...failed(null), evaluation: evaluation({ reward: 1 }) },
      "passed",
      "failed",
    ],
  ])("%s", (_, over, outcome, type) => {
    const { trial } = readSecond(over);
    expect([trial?.outcome, trial?.exception?.type ?? null]).toEqual([outcome, type]);
  });

  it("says why in the record's own words", () => {
    expect(readSecond(failed(null)).trial?.exception?.message).toBe("budget");
    const outputs = { agent_output: { status: "failed", error_message: "ValueError: no" } };
    const folder = makeFolder({ [FIRST]: firstRecord({ outputs, evaluation: evaluation({ reward: 0 }) }) });
    const [trial] = readOnlyJob(folder).trials;
    expect(trial).toMatchObject({
      outcome: "errored",
      exception: { type: "ValueError", message: "ValueError: no" },
    });
  });

  it.each(["planned", "running"])("%s runs while its run writes, and is missing after that", (status) => {
    const open = { evaluation: null, output: null, completed_at: null, execution_status: status };
    const folder = makeFolder({ [SECOND]: secondRecord(open), [MANIFEST]: WRITTEN[MANIFEST] });
    expect(readOnlyJob(folder, NOW)).toMatchObject({
      job: { state: "running" },
      trials: [{ outcome: "running" }],
    });
    const later = readOnlyJob(folder, () => Date.now() + 90_000_000);
    expect(later).toMatchObject({
      job: { state: "interrupted" },
      trials: [{ outcome: "missing", rewards: null }],
    });
    expect(later.issues).toMatchObject([{ code: "trial_without_result", path: `jobs/${SECOND}` }]);
    expect(later.issues[0]?.detail).toContain(`"${status}"`);
  });

  it("numbers attempts as stated, unless two state the same", () => {
    const read = (numbers: readonly number[]) => {
      const records = numbers.map((attempt, at): [string, unknown] => [
        `${EXPERIMENT}/t${at}.json`,
        secondRecord({ trial_id: `t${at}`, attempt }),
      ]);
      return readOnlyJob(
        makeFolder({ ...Object.fromEntries(records), [MANIFEST]: WRITTEN[MANIFEST] }),
      ).trials.map((trial) => trial.attempt);
    };
    expect(read([2, 5])).toEqual([2, 5]);
    expect(read([2, 2])).toEqual([1, 2]);
  });
});

describe("broken files of a ledger", () => {
  it.each<[string, unknown, string, string]>([
    ["torn", '{"trial_id": "x", "reward', "json_torn", "Not readable as JSON"],
    ["empty", "", "file_empty", "no content"],
    ["not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "text_not_utf8", "UTF-8"],
    ["a list", "[]", "field_invalid", "JSON object"],
    ["of an unknown version", secondRecord({ schema_version: 3 }), "field_invalid", "version 3 is not known"],
    ["without an id", firstRecord({ trial_id: " " }), "field_invalid", "trial_id"],
    ["endless", `{"trial_id": ${"[".repeat(2000)}${"]".repeat(2000)}}`, "json_torn", "levels deep"],
  ])("a record that is %s is an unreadable trial, and its neighbours are read", (_, content, code, words) => {
    const folder = makeFolder({ ...WRITTEN, [BROKEN]: content });
    const { trials, issues } = readOnlyJob(folder);
    expect(trials.map(({ trialName, outcome }) => [trialName, outcome])).toEqual([
      ["brisbane-8rm__BHVuXg2", "partial"],
      ["broken", "unreadable"],
      ["trial-001", "partial"],
    ]);
    expect(issues[0]).toMatchObject({ code, path: `jobs/${BROKEN}` });
    expect(issues[0]?.detail).toContain(words);
  });

  it.each([{}, { task_id: null }])("a record without a task reports the name it gets instead: %j", (task) => {
    const record = firstRecord({ trial_id: "lone", task });
    const { trials, issues } = readOnlyJob(makeFolder({ [MANIFEST]: WRITTEN[MANIFEST], [BROKEN]: record }));
    expect(trials).toMatchObject([{ taskName: "lone", state: "finished" }]);
    expect(issues.map(({ code, detail }) => [code, detail.split(":")[0]])).toEqual([
      ["field_invalid", "task_id"],
    ]);
  });

  it("keep an experiment whose every record is broken", () => {
    const { job, trials } = readOnlyJob(makeFolder({ [BROKEN]: "{", [MANIFEST]: WRITTEN[MANIFEST] }));
    expect([job.kind, trials.map(({ outcome }) => outcome)]).toEqual(["ledger", ["unreadable"]]);
  });

  it("keep an experiment with a file named like Harbor's results", () => {
    const { job, trials } = readOnlyJob(
      makeFolder({ ...WRITTEN, [`${EXPERIMENT}/result.json`]: { n_total_trials: 1 } }),
    );
    expect(job.kind).toBe("ledger");
    expect(trials.map(({ folder, state }) => [folder, state])).toEqual([
      [FIRST, "finished"],
      [`${EXPERIMENT}/result.json`, "unreadable"],
      [SECOND, "finished"],
    ]);
  });

  it("say what is wrong in few words, however many the file has", () => {
    const folder = makeFolder({
      [SECOND]: secondRecord(),
      [BROKEN]: secondRecord({ schema_version: { a: "x".repeat(100_000) } }),
    });
    const issue = readOnlyJob(folder).issues.find(({ path }) => path.endsWith(BROKEN));
    expect(issue?.detail).toMatch(/^schema_version: version \{"a":"x{900,1000}…$/);
  });

  it("with very many dimensions and tags add the first thousand of each, and issues say so", () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `n${at}`);
    const folder = makeFolder({
      [SECOND]: secondRecord({
        evaluation: evaluation({
          breakdown: Object.fromEntries(names.map((name) => [name, 0.5])),
          error_taxonomy: names.map((category) => ({ category, description: null, source: "human" })),
        }),
      }),
    });
    const { derivedDetails, issues } = readLedgerDerivedDetails(
      { index: 0, label: "jobs", path: folder },
      SECOND,
    );
    expect([derivedDetails.dimensions.size, derivedDetails.errorTags.length]).toEqual([1000, 1000]);
    expect(issues.map(({ code, path }) => [code, path])).toEqual([
      ["dimensions_too_many", `jobs/${SECOND}`],
      ["tags_too_many", `jobs/${SECOND}`],
    ]);
  });

  it("links out of the opened folder are not followed", () => {
    const elsewhere = makeFolder(WRITTEN);
    const folder = makeFolder({ [FIRST]: firstRecord() });
    symlinkSync(`${elsewhere}/${SECOND}`, `${folder}/${SECOND}`);
    symlinkSync(`${elsewhere}/${EXPERIMENT}/_annotations`, `${folder}/${EXPERIMENT}/_annotations`);
    symlinkSync(`${elsewhere}/feedback`, `${folder}/feedback`);
    const { trials, recordedJudgments } = readOnlyJob(folder);
    expect(trials.map(({ outcome }) => outcome)).toEqual(["partial", "unreadable"]);
    expect(recordedJudgments).toEqual([]);
    expect(listIssues(folder)).toContain(`link_outside_root jobs/${SECOND}`);
  });

  it.each<[string, unknown, string]>([
    ["missing", null, "run_manifest_missing"],
    ["torn", "{", "json_torn"],
    ["that of another run", { run_id: "other", agent: { adapter: "x", model: "y" } }, "field_invalid"],
  ])("a manifest that is %s leaves agent and dataset unknown, and is reported once", (_, content, code) => {
    const other = `${EXPERIMENT}/trial-002.json`;
    const folder = makeFolder({
      ...WRITTEN,
      [MANIFEST]: content ?? "",
      [other]: secondRecord({ trial_id: "trial-002" }),
    });
    if (content === null) rmSync(`${folder}/${MANIFEST}`);
    const trials = readOnlyJob(folder).trials.filter(({ ledger }) => ledger?.version === 2);
    expect(trials.map(({ agent, model, source }) => [agent, model, source])).toEqual([
      ["unknown", null, null],
      ["unknown", null, null],
    ]);
    expect(trials[0]?.rewards).toEqual(new Map([["reward", 0.93]]));
    expect(listIssues(folder)).toEqual([`${code} jobs/${MANIFEST}`]);
  });
});
