import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";

import { describe, expect, it } from "vitest";

import type { LoadIssueCode } from "@/lib/core/domain/load-issue";
import { readCatalog } from "@/lib/read/catalog";
import {
  jobFiles,
  jobResult,
  listIssues,
  makeFolder,
  readOnlyJob,
  trialResult,
  writeFiles,
} from "@/lib/testing/folder.fixture";

import { discoverJobs } from "./discover/discover";
import { readTrialDerivedDetails } from "./harbor/read-derived-details";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";
const RESULT = `run/${A}/result.json`;

function makeRun() {
  return makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
}

/** Replaces a file by something else and expects one issue about it, with the other trial untouched. */
function expectOneIssue(folder: string, code: LoadIssueCode, file: string) {
  const { trials, issues } = readOnlyJob(folder);
  expect(issues.map((issue) => `${issue.code} ${issue.path}`)).toEqual([`${code} jobs/${file}`]);
  expect(trials.find((trial) => trial.trialName === B)).toMatchObject({
    state: "finished",
    outcome: "failed",
  });
  return trials.find((trial) => trial.folder === `run/${A}`);
}

describe("a trial's result.json that cannot be read", () => {
  it.each<[LoadIssueCode, string | Uint8Array]>([
    ["file_empty", ""],
    ["json_torn", '{"trial_name": "alpha__aaaaaaa", "task_na'],
    ["json_torn", "\ufeff{}"],
    ["json_torn", "[".repeat(100_000)],
    ["too_many_values", `{"trial_name": "alpha__aaaaaaa", "x": [${"{},".repeat(600_000)}{}]}`],
    ["text_not_utf8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ["result_foreign", '{"hello": "world"}'],
    ["result_foreign", "[1, 2]"],
    ["result_foreign", "NaN"],
  ])("is %s", (code, content) => {
    const folder = makeRun();
    writeFileSync(`${folder}/${RESULT}`, content);
    expect(expectOneIssue(folder, code, RESULT)).toMatchObject({
      state: "unreadable",
      outcome: "unreadable",
      rewards: null,
    });
  });

  it.each([
    [4_301, "unreadable"],
    [4_300, "finished"],
  ])("has an int of %i digits next to its rewards, as CPython 3.12 reads it: %s", (digits, state) => {
    const folder = makeRun();
    const result = readFileSync(`${folder}/${RESULT}`, "utf8").replace(
      "{",
      `{"extra": [{"n": -${"9".repeat(digits)}}],`,
    );
    writeFileSync(`${folder}/${RESULT}`, result);
    if (state === "unreadable")
      expect(expectOneIssue(folder, "json_torn", RESULT)).toMatchObject({ state, rewards: null });
    else
      expect(readOnlyJob(folder).trials.find((trial) => trial.folder === `run/${A}`)).toMatchObject({
        state,
      });
  });

  it("is too large", () => {
    const folder = makeRun();
    truncateSync(`${folder}/${RESULT}`, 65 << 20);
    expect(expectOneIssue(folder, "file_too_large", RESULT)?.state).toBe("unreadable");
  });

  it.each<[string, (path: string) => void]>([
    ["a folder", (path) => mkdirSync(path)],
    ["a link to nothing", (path) => symlinkSync("nowhere.json", path)],
    ["a link to itself", (path) => symlinkSync("result.json", path)],
    ["a pipe", (path) => execFileSync("mkfifo", [path])],
  ])("is %s", (_, replace) => {
    const folder = makeRun();
    rmSync(`${folder}/${RESULT}`);
    replace(`${folder}/${RESULT}`);
    expect(expectOneIssue(folder, "file_unreadable", RESULT)?.state).toBe("unreadable");
  });

  it("is missing, which is another thing", () => {
    const folder = makeRun();
    rmSync(`${folder}/${RESULT}`);
    const trial = expectOneIssue(folder, "trial_without_result", `run/${A}`);
    expect(trial).toMatchObject({ state: "missing", outcome: "missing", agent: "oracle" });
  });
});

describe("a folder that cannot be listed", () => {
  it("does not hide the others when it vanishes or is a file", () => {
    const folder = makeRun();
    expect(listIssues(`${folder}/run/${A}/trial.log`)).toEqual([
      "folder_unreadable trial.log",
      "no_jobs_found trial.log",
    ]);
    const { issues, jobs } = readCatalog({ roots: [`${folder}/gone`, folder] });
    expect(issues.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "folder_unreadable gone",
      "no_jobs_found gone",
    ]);
    expect(jobs).toHaveLength(1);
  });
});

describe("links", () => {
  it("are not followed out of the root", () => {
    const outside = makeFolder(
      { ...jobFiles("secret", { [A]: 1 }), "result.json": trialResult(A, 1), "reward.txt": "1" },
      "outside",
    );
    const folder = makeRun();
    rmSync(`${folder}/${RESULT}`);
    symlinkSync(`${outside}/result.json`, `${folder}/${RESULT}`);
    rmSync(`${folder}/run/${B}/verifier`, { recursive: true });
    symlinkSync(outside, `${folder}/run/${B}/verifier`);
    symlinkSync(`${outside}/secret/${A}`, `${folder}/run/gamma__ccccccc`);
    symlinkSync(`${outside}/secret`, `${folder}/linked-job`);
    const { trials } = readOnlyJob(folder);
    expect(trials.map((trial) => [trial.trialName, trial.state, trial.rewardFile.kind])).toEqual([
      [A, "unreadable", "read"],
      [B, "finished", "absent"],
    ]);
    expect(listIssues(folder)).toEqual([
      "link_outside_root jobs/linked-job",
      `link_outside_root jobs/${RESULT}`,
      `link_outside_root jobs/run/${B}/verifier`,
      "link_outside_root jobs/run/gamma__ccccccc",
    ]);
  });

  it("below the root are read as files and trials, and never lead in circles", () => {
    const folder = makeRun();
    writeFiles(folder, {
      "store/alpha.json": readFileSync(`${folder}/${RESULT}`),
      "store/extra/result.json": trialResult("extra", 1),
    });
    rmSync(`${folder}/${RESULT}`);
    symlinkSync("../../store/alpha.json", `${folder}/${RESULT}`);
    symlinkSync("..", `${folder}/run/loop`);
    symlinkSync(folder, `${folder}/store/loop`);
    symlinkSync("run", `${folder}/latest`);
    symlinkSync(`../run/${A}`, `${folder}/run/again__ddddddd`);
    const { jobs } = readCatalog({ roots: [folder] });
    expect(jobs.map(({ job, trials }) => [job.folder, trials.length])).toEqual([
      ["run", 2],
      ["store", 1],
    ]);
    expect(jobs[0]?.trials.every((trial) => trial.state === "finished")).toBe(true);
    expect(listIssues(folder)).toContain("link_repeated jobs/run/again__ddddddd");
  });

  it("to another job's trial counts in one of the jobs, once", () => {
    const folder = makeRun();
    writeFiles(folder, jobFiles("other", { zeta__zzzzzzz: 1 }, { id: "other" }));
    for (const name of ["one__1111111", "two__2222222"])
      symlinkSync("../other/zeta__zzzzzzz", `${folder}/run/${name}`);
    const { jobs } = readCatalog({ roots: [folder] });
    expect(jobs.map(({ job, trials }) => [job.folder, trials.length])).toEqual([
      ["other", 0],
      ["run", 3],
    ]);
    expect(listIssues(folder)).toContain("link_repeated jobs/run/two__2222222");
  });

  it.each([1, 2, 3])("back to where they stand, %i of them, add nothing", (nLinks) => {
    const folder = makeRun();
    for (const name of ["a", "b", "c"].slice(0, nLinks)) {
      symlinkSync(".", `${folder}/run/self__${name}AAAAAA`);
      symlinkSync("..", `${folder}/run/up__${name}AAAAAA`);
    }
    expect(readOnlyJob(folder).trials.map(({ trialName }) => trialName)).toEqual([A, B]);
    expect(listIssues(folder)).toHaveLength(2 * nLinks);
  });
});

describe("folders of a trial that are links", () => {
  it("are said where they are not followed, each once", async () => {
    const outside = makeFolder({ "reward.txt": "1" }, "outside");
    const folder = makeRun();
    const steps = [0, 1].map((n) => ({ step_name: `s${n}`, verifier_result: { rewards: { reward: 1 } } }));
    const trial = `run/${A}`;
    writeFiles(folder, {
      [`${trial}/result.json`]: { ...trialResult(A, 1), step_results: steps },
      [`${trial}/trial.log`]: "",
    });
    for (const name of ["agent", "artifacts", "steps", "verifier"]) {
      rmSync(`${folder}/${trial}/${name}`, { recursive: true, force: true });
      symlinkSync(outside, `${folder}/${trial}/${name}`);
    }
    const root = { index: 0, label: "jobs", path: folder };
    const found = (await readTrialDerivedDetails(root, trial, ["s0", "s1"])).issues;
    const issues = [...readOnlyJob(folder).issues, ...found].map(({ code, path }) => `${code} ${path}`);
    expect(issues.sort()).toEqual(
      ["agent", "artifacts", "steps", "verifier"].map((name) => `link_outside_root jobs/${trial}/${name}`),
    );
  });
});

describe("a tree without end", () => {
  const limits = { depth: 16, trials: 5, otherFolders: 5 };

  it("is searched up to a number of folders, and the limit is said once", () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`other/${n}/deep/`, ""]));
    const folder = makeFolder({ ...jobFiles("a-job", { [A]: 1 }), ...many });
    const { jobs, issues } = discoverJobs({ index: 0, label: "jobs", path: folder }, undefined, limits);
    expect(jobs.map((job) => job.folder)).toEqual(["a-job"]);
    const said = issues.filter(({ code }) => code === "too_many_folders");
    expect(said).toHaveLength(1);
    expect(said[0]?.detail).toContain("5 folders");
  });

  it("gives up to a number of trials", () => {
    const rewards: Record<string, number> = {};
    for (let n = 0; n < 9; n++) rewards[`t__AAAAAA${n}`] = 1;
    const folder = makeFolder(jobFiles("run", rewards));
    const { jobs, issues } = discoverJobs({ index: 0, label: "jobs", path: folder }, undefined, limits);
    expect(jobs[0]?.trialFolders).toHaveLength(5);
    expect(issues.filter(({ code }) => code === "too_many_folders")[0]?.detail).toContain("5 trials");
  });
});

describe("values inside files", () => {
  it("keeps NaN, ints and floats of rewards apart", () => {
    const folder = makeRun();
    const text = JSON.stringify(trialResult(A, 1));
    writeFileSync(
      `${folder}/${RESULT}`,
      text.replace('"rewards":{"reward":1}', '"rewards":{"i":1,"f":1.0,"n":NaN,"b":true}'),
    );
    const rewards = readOnlyJob(folder).trials[0]?.rewards;
    expect([...(rewards ?? [])]).toEqual([
      ["i", 1n],
      ["f", 1],
      ["n", NaN],
      ["b", 1],
    ]);
  });

  it("says which reward is no number and keeps the rest of the trial", () => {
    const folder = makeRun();
    const result = trialResult(A, 1, { verifier_result: { rewards: { reward: null, note: "x" } } });
    writeFiles(folder, { [RESULT]: result });
    expect(expectOneIssue(folder, "rewards_invalid", RESULT)).toMatchObject({
      state: "finished",
      outcome: "unscored",
      rewards: null,
      rewardsProblem: 'The value of "reward", "note" are not numbers.',
      tokens: { inputTokens: 10 },
    });
  });

  it.each([
    ["task_name", { task_name: undefined }, ["task_name"], ["alpha", "orca"]],
    ["task_name", { task_name: null }, ["task_name"], ["alpha", "orca"]],
    ["agent_info.name", { agent_info: null }, ["agent_info.name"], ["alpha", "orca"]],
    ["agent_info.name", { agent_info: { name: null } }, ["agent_info.name"], ["alpha", "orca"]],
    ["task_name of the wrong type", { task_name: 5 }, ["task_name"], ["alpha", "orca"]],
    ["no name, of a task in the working folder", { task_name: "" }, [], ["", "orca"]],
  ])("reports a name that it has to guess: %s, as %j", (_, over, fields, [taskName, agent]) => {
    const folder = makeRun();
    writeFiles(folder, { [RESULT]: trialResult(A, 1, over) });
    const { trials, issues } = readOnlyJob(folder);
    expect(issues.map(({ code, path, detail }) => [code, path, detail.split(":")[0]])).toEqual(
      fields.map((field) => ["field_invalid", `jobs/${RESULT}`, field]),
    );
    expect(trials.find(({ trialName }) => trialName === A)).toMatchObject({
      ...{ state: "finished", outcome: "passed", taskName, agent },
    });
  });

  it("drops one field of the wrong type and keeps the trial", () => {
    const folder = makeRun();
    const over = {
      started_at: 12,
      agent_result: { n_input_tokens: "many", n_output_tokens: 3 },
      agent_info: [],
    };
    writeFiles(folder, { [RESULT]: trialResult(A, 1, over) });
    const { trials, issues } = readOnlyJob(folder);
    expect(issues.map(({ code, detail }) => `${code} ${detail.split(":")[0] ?? ""}`).sort()).toEqual([
      "field_invalid agent_info",
      "field_invalid agent_result.n_input_tokens",
      "field_invalid started_at",
    ]);
    expect(trials[0]).toMatchObject({
      outcome: "passed",
      agent: "orca",
      time: { startedAt: null },
      tokens: { inputTokens: null, outputTokens: 3 },
    });
  });

  it("reads reward and exception together, empty messages and mixed clocks", () => {
    const folder = makeRun();
    const exception = {
      exception_type: "CancelledError",
      exception_message: "",
      exception_traceback: "",
      occurred_at: "2026-05-01T10:00:00",
    };
    writeFiles(folder, {
      [RESULT]: trialResult(A, 1, { exception_info: exception }),
      [`run/${B}/result.json`]: trialResult(B, null, {
        exception_info: exception,
        agent_result: null,
        started_at: null,
      }),
    });
    const [a, b] = readOnlyJob(folder).trials;
    expect(a).toMatchObject({
      outcome: "passed",
      exception: {
        type: "CancelledError",
        message: "",
        // The job's clock is seven hours behind UTC, by its trials.
        occurredAt: { text: exception.occurred_at, epochMs: Date.parse("2026-05-01T17:00:00Z"), zoned: true },
      },
    });
    expect(a?.time.startedAt?.zoned).toBe(true);
    expect(b).toMatchObject({
      outcome: "cancelled",
      exception: { occurredAt: { text: exception.occurred_at, zoned: false } },
      rewards: null,
      time: { startedAt: null },
      tokens: { costUsd: null },
    });
  });

  it("reports reward files that say nothing and keeps what result.json says", () => {
    const folder = makeRun();
    const file = `run/${A}/verifier/reward.json`;
    rmSync(`${folder}/run/${A}/verifier/reward.txt`);
    writeFiles(folder, { [file]: '{"reward": "high"}' });
    expect(expectOneIssue(folder, "reward_file_invalid", file)).toMatchObject({
      outcome: "passed",
      rewardFile: { kind: "error", file: "reward.json", reasonCode: "harbor_reward_parse_error" },
    });
    writeFiles(folder, { [file]: "" });
    expect(expectOneIssue(folder, "reward_file_invalid", file)?.rewardFile).toMatchObject({
      reasonCode: "harbor_reward_empty",
    });
  });

  it("reads steps, and none outside of their trial", () => {
    const folder = makeRun();
    const step = (step_name: unknown, verifier_result: unknown) => ({
      step_name,
      verifier_result,
      exception_info: null,
    });
    const steps = [
      step("one", { rewards: { reward: 0.5 } }),
      step("../../" + B, null),
      step(7, null),
      step("two", null),
    ];
    writeFiles(folder, {
      [RESULT]: trialResult(A, 1, { step_results: steps }),
      [`run/${A}/steps/one/verifier/reward.txt`]: "0.5",
    });
    const { trials, issues } = readOnlyJob(folder);
    expect(
      trials[0]?.steps?.map((item) => [item.stepName, item.hasVerifierResult, item.rewardFile.kind]),
    ).toEqual([
      ["one", true, "read"],
      [`../../${B}`, false, "absent"],
      ["two", false, "absent"],
    ]);
    expect(issues.map(({ detail }) => detail.split(":")[0])).toEqual(["step_results.2.step_name"]);
  });

  it("survives a job's own files being broken", () => {
    const folder = makeRun();
    writeFiles(folder, {
      "run/config.json": "{",
      "run/lock.json": "",
      "run/result.json": '{"id": "x", "stats": {"evals": [',
    });
    const { job, trials } = readOnlyJob(folder);
    expect(job).toMatchObject({ state: "unknown", recorded: null, plan: null, nAttempts: null });
    expect(job.resultBytes?.length).toBeGreaterThan(0);
    expect(trials).toHaveLength(2);
    expect(listIssues(folder)).toEqual([
      "json_torn jobs/run/config.json",
      "file_empty jobs/run/lock.json",
      "json_torn jobs/run/result.json",
    ]);
  });

  it("maps older spellings of counters and takes a status block in", () => {
    const folder = makeRun();
    const old = {
      stats: { n_trials: 2, n_errors: 1, evals: {} },
      status: { n_retries: 3, n_trials: 9 },
      n_total_trials: "2",
    };
    writeFiles(folder, { "run/result.json": jobResult({ [A]: 1 }, old) });
    const { job, issues } = readOnlyJob(folder);
    expect(Object.fromEntries(job.recorded?.counters ?? [])).toEqual({
      n_completed_trials: 2n,
      n_errored_trials: 1n,
      n_retries: 3n,
    });
    expect(job.recorded?.nTotalTrials).toBeNull();
    expect(issues.map(({ detail }) => detail)).toEqual(["n_total_trials: a whole number was expected"]);
  });

  it("gives planned and unfinished trials the names that results use", () => {
    const lock = {
      schema_version: 3,
      harbor: { version: "0.22.0" },
      trials: [
        {
          task: { name: "alpha", path: "tasks/alpha", digest: `sha256:${"ab".repeat(32)}` },
          agent: { import_path: "my:Agent", model_name: "lab/m1" },
        },
      ],
    };
    const config = {
      task: { path: "tasks/alpha" },
      agent: { import_path: "my:Agent", model_name: "lab/m1" },
    };
    const folder = makeFolder({
      "run/result.json": jobResult({ [A]: 1, [B]: 1 }),
      "run/lock.json": lock,
      [`run/${A}/result.json`]: trialResult(A, 1, { task_name: "org/alpha", config }),
      [`run/${B}/config.json`]: { ...config, trial_name: B, trials_dir: "x" },
    });
    const { job, trials } = readOnlyJob(folder);
    expect(job).toMatchObject({
      harborVersion: "0.22.0",
      plan: [{ taskName: "org/alpha", agent: "orca", model: "m1" }],
    });
    expect(trials[1]).toMatchObject({
      state: "missing",
      taskName: "org/alpha",
      agent: "orca",
      model: "m1",
      attempt: 1,
    });
  });
});

it("writes nothing into a job folder", () => {
  const folder = makeRun();
  const list = () => execFileSync("find", [folder, "-printf", "%p %s %T@ %C@\n"]).toString();
  const before = list();
  readCatalog({ roots: [folder] });
  expect(list()).toBe(before);
});

it("asks to rename a folder whose name is not text, and reads its neighbours", () => {
  const folder = makeRun();
  const name = Buffer.concat([
    Buffer.from(`${folder}/run/bad`),
    Buffer.from([0xff]),
    Buffer.from("__ccccccc"),
  ]);
  mkdirSync(name);
  expect(readOnlyJob(folder).trials.map((trial) => trial.trialName)).toEqual([A, B]);
  const { issues } = readCatalog({ roots: [folder] });
  expect(issues.map(({ code }) => code)).toEqual(["folder_unreadable"]);
  expect(issues[0]?.detail).toContain("not UTF-8");
});

it("never takes a name that is no text for its neighbour's, and names both", () => {
  const folder = makeRun();
  // Both names read as the same text, and only one of them leads anywhere.
  renameSync(`${folder}/run/${A}`, `${folder}/run/alpha\ufffd__aaaaaaa`);
  for (const byte of [0xfe, 0xff]) {
    const name = Buffer.concat([
      Buffer.from(`${folder}/run/alpha`),
      Buffer.from([byte]),
      Buffer.from("__aaaaaaa"),
    ]);
    mkdirSync(name);
  }
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/run/note`), Buffer.from([0xc3, 0x28])]), "");
  const { trials, issues } = readOnlyJob(folder);
  expect(trials.map((trial) => trial.folder).toSorted()).toEqual([`run/alpha\ufffd__aaaaaaa`, `run/${B}`]);
  expect(trials.map(({ outcome }) => outcome).toSorted()).toEqual(["failed", "passed"]);
  expect(issues).toEqual([]);
  const found = readCatalog({ roots: [folder] }).issues.map(({ code, path }) => `${code} ${path}`);
  expect(found.toSorted()).toEqual([
    "file_unreadable jobs/run/note\\xc3(",
    "folder_unreadable jobs/run/alpha\\xfe__aaaaaaa",
    "folder_unreadable jobs/run/alpha\\xff__aaaaaaa",
  ]);
});

it.each([
  [{ [A]: 1, [B]: 0 }, []],
  [{ [A]: 1.5, [B]: 0 }, ["reward_outside_contract jobs/run: 1 of 2 trials"]],
  [{ [A]: 93, [B]: -1 }, ["reward_outside_contract jobs/run: 2 of 2 trials"]],
])("says once for a job how many rewards of %j the evaluation contract does not take", (trials, expected) => {
  const folder = makeFolder(jobFiles("run", trials));
  const { issues } = readOnlyJob(folder);
  const words = issues.map(({ code, path, detail }) => `${code} ${path}: ${detail.slice(0, 13)}`);
  expect(words).toEqual(expected);
});
