import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { describeEngines } from "@/lib/store/database/postgres.fixture";
import {
  forgetDerivedDetails,
  type IndexStore,
  readFailedTrials,
  readHead,
  readIssues,
  readJobRules,
  readPassedFailure,
  readTrial,
  readTrialFailure,
  readTrials,
} from "@/lib/store/tables";
import { EVERY_TRIAL } from "@/lib/store/tables/read/selection.fixture";
import { jobResult, makeFolder, trialResult, writeFiles } from "@/lib/testing/folder.fixture";
import { dumpFresh, dumpIndex, indexFolders, makeDataFolder, openHere } from "@/lib/testing/index.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import { DerivedDetailsRun, FailureRules } from "./derived-details-run";
import { SourceReader } from "./reader";

const GOOD = "alpha__aaaaaaa";
const WRONG = "beta__bbbbbbb";
const LATE = "gamma__ccccccc";
const LOST = "delta__ddddddd";
const ODD = "epsilon__eeeeeee";
const PART = "zeta__fffffff";
const MANY = "eta__ggggggg";

const SPITE = "theta__hhhhhhh";

const LATE_EXCEPTION = {
  exception_info: {
    exception_type: "AgentTimeoutError",
    exception_message: "Agent execution timed out after 900.0 seconds",
    exception_traceback: "Traceback (most recent call last):\nAgentTimeoutError",
    occurred_at: "2026-05-01T17:09:00",
  },
};
const PHASE = { started_at: "2026-05-01T17:01:00Z", finished_at: "2026-05-01T17:02:00Z" };
const FILES = {
  "run/result.json": jobResult({ [GOOD]: 1, [WRONG]: 0, [LATE]: 0.25, [LOST]: 0, [ODD]: 0, [PART]: 0.5 }),
  "run/config.json": { job_name: "run", n_attempts: 1, agents: [{ name: "orca" }], datasets: [] },
  [`run/${GOOD}/result.json`]: trialResult(GOOD, 1),
  [`run/${WRONG}/result.json`]: trialResult(WRONG, 0),
  [`run/${WRONG}/verifier/ctrf.json`]: {
    results: {
      tool: { name: "pytest" },
      summary: { tests: 2, passed: 1, failed: 1 },
      tests: [
        { name: "test_sum", status: "failed", message: "assert 1 == 2\nmore" },
        { name: "test_ok", status: "passed" },
      ],
    },
  },
  [`run/${LATE}/result.json`]: trialResult(LATE, 0.25, LATE_EXCEPTION),
  [`run/${LATE}/exception.txt`]: "Traceback (most recent call last):\n\nAgentTimeoutError: late\n",
  // The verifier's own tools are not there.
  [`run/${LOST}/result.json`]: trialResult(LOST, 0, { verifier: PHASE }),
  [`run/${LOST}/verifier/test-stdout.txt`]: "installing\n/tests/test.sh: line 18: uvx: command not found\n",
  [`run/${ODD}/result.json`]: trialResult(ODD, 0),
  [`run/${PART}/result.json`]: trialResult(PART, 0.5),
  [`run/${SPITE}/result.json`]: trialResult(SPITE, 1, LATE_EXCEPTION),
  // It is unknown which of them would pass.
  [`run/${MANY}/result.json`]: trialResult(MANY, 0, { verifier_result: { rewards: { speed: 0, style: 1 } } }),
};

async function readFailure(store: IndexStore, key: string) {
  const job = await readHead(store, "run");
  const row = job && (await readTrial(store, job.rowId, key));
  return row && readTrialFailure(store, row.jobRowId, row.position);
}

async function readPassedInSpite(store: IndexStore, key: string) {
  const job = await readHead(store, "run");
  const row = job && (await readTrial(store, job.rowId, key));
  return row && readPassedFailure(store, row.jobRowId, row.position);
}

/** Exceptions that trials passed despite. */
async function readPassed({ db }: IndexStore) {
  const rows = await db.selectFrom("passedFailures").select(["key", "failureClass"]).execute();
  return rows.map(({ key, failureClass }) => [key, failureClass]);
}

describeEngines("failures", (engine) => {
  it("are classified once the index was refreshed, each with its evidence and its place", async () => {
    const { store } = await indexFolders(engine, [makeFolder(FILES)]);
    expect(await readFailure(store, GOOD)).toBeNull();
    expect(await readFailure(store, WRONG)).toMatchObject({
      failureClass: "wrong_answer",
      evidence: [
        { kind: "failed-test", text: "test_sum: assert 1 == 2", place: { file: "verifier/ctrf.json" } },
      ],
    });
    expect(await readFailure(store, LATE)).toMatchObject({
      failureClass: "out_of_time",
      evidence: [{ kind: "exception", place: { file: "exception.txt", line: 3, step: null } }],
    });
    expect(await readFailure(store, LOST)).toMatchObject({
      failureClass: "verifier",
      evidence: [{ place: { file: "verifier/test-stdout.txt", line: 2 } }],
    });
    expect(await readFailure(store, PART)).toMatchObject({ failureClass: "partial_credit" });
    expect(await readFailure(store, MANY)).toBeNull();
    expect(await readPassedInSpite(store, SPITE)).toMatchObject({
      failureClass: "out_of_time",
      evidence: [{ kind: "exception", text: expect.stringContaining("timed out after 900") as string }],
    });
    expect(await readPassedInSpite(store, GOOD)).toBeNull();
    // A reward of 0 alone shows no cause.
    expect(await readFailure(store, ODD)).toMatchObject({ failureClass: "no_evidence" });
  });

  it("are counted with the reward that they cost, and found in lists of trials", async () => {
    const { store } = await indexFolders(engine, [makeFolder(FILES)]);
    const failed = await readFailedTrials(store);
    expect(
      failed.map(({ failureClass, taskName, lostReward }) => [failureClass, taskName, lostReward]).toSorted(),
    ).toEqual([
      ["no_evidence", "epsilon", 1],
      ["out_of_time", "gamma", 0.75],
      ["partial_credit", "zeta", 0.5],
      ["verifier", "delta", 1],
      ["wrong_answer", "beta", 1],
    ]);
    const { rows } = await readTrials(
      store,
      null,
      { ...EVERY_TRIAL, failureClasses: ["verifier", "out_of_time"] },
      { by: "task", descending: false },
      { from: 0, limit: 10 },
    );
    expect(rows.map(({ trial }) => trial.key)).toEqual([LOST, LATE]);
  });

  itLong(engine.name === "sqlite")(
    "that cannot be classified are said with their job, and tried again by other rules alone",
    async () => {
      const { store, roots } = await indexFolders(engine, [makeFolder(FILES)]);
      const data = makeFolder({ "rules.toml": "" });
      const rules = new FailureRules(join(data, "rules.toml"));
      const reader = new SourceReader(store);
      let nTried = 0;
      let isBroken = true;
      const classify = async () => {
        rules.read();
        const run = new DerivedDetailsRun({
          store,
          roots,
          rules,
          dataFolder: data,
          mayWrite: () => Promise.resolve(true),
          onProgress: () => undefined,
          executor: {
            run: (request, onTrials) => {
              if (request.kind === "failures") nTried += 1;
              return request.kind === "failures" && isBroken
                ? Promise.reject(new Error("It took too long"))
                : reader.run(request, onTrials);
            },
          },
        });
        run.start();
        await run.settle();
        const { issues } = await readIssues(store, { limit: 10 });
        const [known] = (await readJobRules(store, [(await readHead(store, "run"))?.rowId ?? 0])).values();
        return { issues, known, rule: (await readFailure(store, ODD))?.rule };
      };
      await forgetDerivedDetails(store);
      const failed = await classify();
      expect(failed.issues).toMatchObject([
        { code: "classifying_failed", detail: expect.stringContaining("It took too long") as string },
      ]);
      expect(failed.issues[0]?.path).toMatch(/\/run$/u);
      expect(failed.known).toMatchObject({ rules: rules.set.version, fault: failed.issues[0]?.detail });
      expect(await classify()).toEqual(failed);
      expect(nTried).toBe(1);
      isBroken = false;
      const own = '[[rule]]\nid = "mine"\nclass = "task_broken"\nwhy = "We know."\nfacts = ["reward-zero"]\n';
      writeFileSync(join(data, "rules.toml"), own);
      expect(await classify()).toMatchObject({ issues: [], known: { fault: null }, rule: "mine" });
      expect(nTried).toBe(2);
    },
  );
});

it("are classified again when the user's own rules change; broken rules leave only the bundled ones", async () => {
  const data = makeDataFolder();
  const folder = makeFolder(FILES);
  const { store, refresh, settle } = await openHere([folder], data);
  const readWith = async (rules: string) => {
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, "rules.toml"), rules);
    await refresh();
    await settle();
    const { issues } = await readIssues(store, { limit: 10 });
    const failure = await readFailure(store, ODD);
    return { rule: failure?.rule, version: failure?.version, issues: issues.map(({ detail }) => detail) };
  };
  const own = '[[rule]]\nid = "mine"\nclass = "task_broken"\nwhy = "We know."\nfacts = ["reward-zero"]\n';
  const first = await readWith("");
  expect(first).toMatchObject({ rule: "no-evidence", issues: [] });
  const second = await readWith(own);
  expect(second).toMatchObject({ rule: "mine", issues: [] });
  expect(second.version).not.toBe(first.version);
  const broken = await readWith(`${own}[[rule]]\nid = "other"\n`);
  expect(broken).toMatchObject({ rule: "no-evidence", version: first.version });
  expect(broken.issues[0]).toMatch(/Line 6, rule "other"/);
});

it("are classified again with their job", async () => {
  const folder = makeFolder(FILES);
  const { store, refresh, settle } = await openHere([folder], makeDataFolder());
  await refresh();
  await settle();
  expect(await readPassed(store)).toEqual([[SPITE, "out_of_time"]]);
  writeFiles(folder, {
    [`run/${LOST}/result.json`]: trialResult(LOST, 1, LATE_EXCEPTION),
    [`run/${SPITE}/result.json`]: trialResult(SPITE, 1),
  });
  await refresh();
  await settle();
  expect(await readFailure(store, LOST)).toBeNull();
  expect(await readPassed(store)).toEqual([[LOST, "out_of_time"]]);
  expect(await readFailure(store, WRONG)).toMatchObject({ failureClass: "wrong_answer" });
  // The place of a trial that another one comes before.
  writeFiles(folder, { "run/aaa__zzzzzzz/result.json": trialResult("aaa__zzzzzzz", 0) });
  await refresh();
  await settle();
  expect(await readFailure(store, LOST)).toBeNull();
  expect(await readFailure(store, "aaa__zzzzzzz")).toMatchObject({ failureClass: "no_evidence" });
  expect(await readFailure(store, WRONG)).toMatchObject({ failureClass: "wrong_answer" });
  expect(await dumpIndex(store)).toEqual(await dumpFresh([folder]));
});
