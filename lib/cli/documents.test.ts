import { mkdirSync, rmSync, writeFileSync } from "node:fs";

import { expect, it } from "vitest";
import { z } from "zod";

import { createAnnotation, openAnnotationStore, resolveAnnotationTarget } from "@/lib/people/annotations";
import { jobFiles, jobResult, makeFolder, trialResult } from "@/lib/testing/folder.fixture";

import { runCli } from "./run-cli";

const NAMES = ["alpha__aaaaaaa", "beta__bbbbbbb", "gamma__ccccccc"];

async function run(...args: readonly string[]): Promise<string> {
  let text = "";
  const stdout = { write: (part: string) => ((text += part), true), once: () => undefined };
  await runCli(args, { stdout, stderr: { ...stdout, write: () => true }, env: {} });
  return text;
}

const objects = z.array(z.looseObject({}));

/** Returns the names of a document, and of the first item of each of these lists inside it. */
async function readFields(args: readonly string[], ...lists: readonly string[]) {
  const documents: unknown[] = [JSON.parse(await run(...args))];
  for (const list of lists) {
    const [parent] = objects.parse(documents.slice(-1));
    documents.push(objects.parse(parent?.[list])[0]);
  }
  return objects.parse(documents).map((document) => Object.keys(document).toSorted());
}

async function writeJudgment(data: string, judgment: "pass" | "fail"): Promise<void> {
  mkdirSync(data, { recursive: true });
  const store = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: data }));
  const trial = {
    trialId: "t",
    jobUuid: "j",
    trialName: "a",
    jobName: "run",
    rootLabel: "jobs",
    taskName: "a",
  };
  await createAnnotation(store, {
    subject: { ...trial, agent: "orca", model: null, outcomeSeen: "passed", rewardSeen: "1.0" },
    draft: { reviewerId: "Ada", reviewerDiscipline: null, judgment, categories: [], notes: null },
    baseVersionId: null,
  });
  await store.close();
}

it("writes these fields of lost work", async () => {
  const folder = makeFolder(jobFiles("run", { alpha__aaaaaaa: 1, beta__bbbbbbb: 0 }));
  rmSync(`${folder}/run/beta__bbbbbbb`, { recursive: true });
  expect(await readFields(["check", "--json", folder], "lost_work")).toEqual([
    ["folder", "issues", "lost_work", "n_jobs", "n_notes", "n_problems", "n_trials", "schema"],
    ["cost_usd", "counts", "example", "job", "kind", "n", "n_with_cost"],
  ]);
});

it("writes these fields of troubles", async () => {
  const failed = {
    exception_info: {
      exception_type: "ApiRateLimitError",
      exception_message: "429",
      exception_traceback: "",
      occurred_at: "2026-05-01T17:09:00",
    },
  };
  const folder = makeFolder({
    "run/result.json": jobResult(Object.fromEntries(NAMES.map((name) => [name, 0]))),
    "run/config.json": { job_name: "run", n_attempts: 1, agents: [{ name: "orca" }], datasets: [] },
    ...Object.fromEntries(NAMES.map((name) => [`run/${name}/result.json`, trialResult(name, 0, failed)])),
  });
  expect(await readFields(["watch", folder, "--json", "--data", makeFolder({})], "troubles")).toEqual([
    ["folder", "n_running", "schema", "troubles"],
    ["agent", "class", "job", "n_recent", "n_trials", "shows"],
  ]);
});

it("writes these fields of leaderboards", async () => {
  const folder = makeFolder(jobFiles("run", { alpha__aaaaaaa: 1, beta__bbbbbbb: 0 }));
  expect(
    await readFields(["leaderboard", folder, "--json", "--data", makeFolder({})], "datasets", "groups"),
  ).toEqual([
    ["datasets", "schema"],
    [
      "coverage",
      "families",
      "groups",
      "id",
      "key",
      "missing",
      "n_common_tasks",
      "n_first",
      "n_pairs",
      "n_ranked",
      "n_tasks",
      "name",
      "rule",
      "tasks",
    ],
    [
      "attempts",
      "corrected",
      "cost",
      "families",
      "figures",
      "marks",
      "mean",
      "n_tasks",
      "n_trials",
      "name",
      "rank",
      "runs",
      "sensitivity",
      "state",
    ],
  ]);
});

it("writes these fields of imports", async () => {
  const [source, target] = [`${makeFolder({})}/data`, `${makeFolder({})}/data`];
  await writeJudgment(source, "fail");
  await writeJudgment(target, "pass");
  const file = `${source}/judgments.jsonl`;
  writeFileSync(file, await run("annotations", "export", "--data", source));
  expect(await readFields(["annotations", "import", file, "--json", "--data", target], "conflicts")).toEqual([
    [
      "conflicts",
      "errors",
      "n_conflicts",
      "n_errors",
      "n_known",
      "n_lines",
      "n_new",
      "n_new_answers",
      "n_new_decisions",
      "n_new_notes",
      "n_new_queues",
      "n_new_tags",
      "n_older",
      "n_repeated",
      "n_trials",
      "n_withdrawn",
      "notes",
      "schema",
      "state",
    ],
    ["file", "job_name", "kind", "line", "message", "reviewer_id", "trial_name"],
  ]);
});
