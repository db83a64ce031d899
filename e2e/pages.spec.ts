import { createHash } from "node:crypto";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { parquetReadObjects } from "hyparquet";
import { z } from "zod";

import { parseEvaluationResult } from "@/lib/core/evaluation";

import { expect, test } from "./fixtures/app";
import { readPage } from "./fixtures/read-page";
import { readRecordedTrials } from "./fixtures/recorded-trials";

// Checks the HTML of pages. Component tests and other specs cover interaction.

const GROUPS = [
  "g=tb2-orca-next:orca__meridian-5__terminal-mix",
  "g=tb2-baseline:orca__meridian-4.5__terminal-mix",
];

test("a comparison shows the certainty and method per group and what it excludes", async ({ request }) => {
  const { rows, words } = await readPage(request, `/compare?${GROUPS.join("&")}&order=chosen&tab=robustness`);
  const certainty = rows.find(
    (row) => row[0] === "orca meridian-5" && row.length === 8 && /, /u.test(row[4] ?? ""),
  );
  expect(certainty?.[1]).toMatch(/\d\.\d{3} to \d\.\d{3}/u);
  expect(certainty?.[4]).toMatch(/^\d+, \d+, \d+$/u);
  expect(words).toContain("for the same tasks run again");
  expect(words).toMatch(/10,000 resamples, xoshiro128\*\* seed \d+/u);
  const many = Array.from({ length: 25 }, (_, n) => `g=tb2-orca-next:${n}`);
  expect((await readPage(request, `/compare?${many.join("&")}`)).words).toContain("first 24 of 25 groups");
  const none = await readPage(request, "/compare?g=no-job:no-group&g=tb2-baseline:nothing");
  expect(none.words).toContain("no-job:no-group");
});

test("exceptions are counted as recorded and link to their trials", async ({ request, assay }) => {
  const job = "tb2-baseline";
  const trials = readRecordedTrials(assay.jobsFolder, job);
  const failures = trials.filter(({ exception }) => exception !== null);
  const timeouts = failures.filter(({ exception }) => exception === "AgentTimeoutError");
  const types = new Set(failures.map(({ exception }) => exception));
  expect((await readPage(request, `/jobs/${job}?tab=errors`)).words).toContain(
    `${types.size} types of exceptions`,
  );
  const { words, rows, hrefs } = await readPage(
    request,
    `/errors/exceptions?job=${job}&open=AgentTimeoutError`,
  );
  expect(words).toContain(
    `${failures.length} of ${trials.length} finished trials in ${job} ended with an exception`,
  );
  const heads = rows[0] ?? [];
  const row = rows.find(([name]) => name === "AgentTimeoutError") ?? [];
  expect(row[heads.indexOf("Trials")]).toBe(String(timeouts.length));
  for (const agent of ["orca", "lamp", "tern"]) {
    const n = timeouts.filter((trial) => trial.agent === agent).length;
    if (n > 0) expect(words).toMatch(new RegExp(`${agent}[^,]*?${String(n)} of `, "u"));
  }
  expect(words).toContain(`All ${timeouts.length} trials in ${job}`);
  expect(
    hrefs.some((href) => href.startsWith(`/jobs/${job}?tab=trials`) && href.includes("AgentTimeoutError")),
  ).toBe(true);
});

const FILTERS = [
  "",
  "outcome=failed",
  "outcome=passed&sort=duration&dir=desc",
  "q=orca&sort=cost&dir=asc",
  "max=0.5&sort=started",
  "judgment=any",
];
const keysSchema = z.looseObject({ trials: z.array(z.looseObject({ key: z.string() })) });

test("every format of a list has the rows of its page in the same order", async ({ request }) => {
  const list = "/jobs/tb2-orca-next/trials";
  for (const filter of FILTERS) {
    const { words, hrefs } = await readPage(request, `/jobs/tb2-orca-next?tab=trials&${filter}`);
    const nShown = Number(
      /([\d,]+)(?: of [\d,]+)? trials?(?=Columns)/u.exec(words)?.[1]?.replaceAll(",", ""),
    );
    const inList = hrefs.map((href) => new RegExp(`^${list}/([^/?]+)\\?list=`, "u").exec(href)?.[1] ?? "");
    const shown = [...new Set(inList.filter((key) => key !== "").map(decodeURIComponent))];
    const json: unknown = await (await request.get(`${list}.json?${filter}`)).json();
    const keys = keysSchema.parse(json).trials.map(({ key }) => key);
    expect(keys, filter).toHaveLength(nShown);
    expect(keys.slice(0, shown.length), filter).toEqual(shown);
    const parquet = await (await request.get(`${list}.parquet?${filter}`)).body();
    const rows: Record<string, unknown>[] = await parquetReadObjects({
      file: new Uint8Array(parquet).buffer,
    });
    expect(
      rows.map((row) => row["key"]),
      filter,
    ).toEqual(keys);
    const csv = await (await request.get(`${list}.csv?${filter}`)).text();
    // Trial names need no quotes, so the sixth field of a line is its key.
    const lines = csv.split("\r\n").slice(1, -1);
    expect(
      lines.map((line) => line.split(",")[5]),
      filter,
    ).toEqual(keys);
    if (filter === "outcome=failed") expect(hrefs).toContain(`${list}.csv?outcome=failed`);
  }
});

test("the URL of a list sets its columns and their order", async ({ request }) => {
  for (const [columns, names] of [
    ["mean,check,agent", ["Mean", "Check", "Agent and model"]],
    ["agent,mean,passed", ["Agent and model", "Mean", "Passed"]],
  ] as const) {
    const { rows } = await readPage(request, `/?columns=${columns}`);
    expect(rows[0]).toEqual(["Select", "Job and dataset", ...names]);
  }
});

test("ranks of a leaderboard ignore filters and sorting", async ({ request }) => {
  const read = async (search: string) => {
    const { rows, words, labels } = await readPage(request, `/datasets/terminal-mix${search}`);
    const ranked = rows.filter(
      ([, rank = "", , score = ""]) => /^\d+$/u.test(rank) && /^\d\.\d{3}$/u.test(score),
    );
    const groups = ranked.map(([, rank = "", name = "", score = ""]) => ({ rank, name, score }));
    const lead = /[^.]*\bleads\b[^.]*/u.exec(words.slice(words.indexOf("Leaderboard")))?.[0];
    return { groups, lead, words, labels: labels.filter((label) => /^ranks? \d/u.test(label)) };
  };
  const byRank = await read("");
  expect(byRank.groups.length).toBeGreaterThan(2);
  const byScore = await read("?sort=score&dir=asc");
  expect(byScore.groups).toEqual(byRank.groups.toReversed());
  expect(byScore.lead).toBe(byRank.lead);
  const filtered = await read("?q=tern");
  expect(filtered.words).toContain("ranks are among all of them");
  expect(filtered.groups).toEqual(byRank.groups.filter(({ name }) => name.startsWith("tern")));
});

test("a ledger record shows its breakdown, gates, tags and only its own files", async ({ request }) => {
  const trial = "/jobs/voltage-drop-panel/trials/submain-meridian-2";
  const { words } = await readPage(request, trial);
  for (const said of [
    "No trace.",
    "voltage_drop_v",
    "unit mismatch",
    "Output parseable",
    "decided by s.arakawa",
    "calibrated, v1",
  ])
    expect(words).toContain(said);
  const config = await readPage(request, `${trial}?tab=config`);
  expect(config.words).toContain("It is outside the opened folder and is not opened.");
  expect(config.words).toContain('"trial_id": "submain-meridian-2"');
});

test("a reward that differs from its file is named above everything else of the trial", async ({
  request,
  few,
}) => {
  const job = "changed-reward";
  const [name = ""] = readRecordedTrials(few.jobsFolder, "legacy-2025").flatMap((trial) =>
    trial.reward === 1 ? trial.name : [],
  );
  const trial = join(few.jobsFolder, job, name);
  cpSync(join(few.jobsFolder, "legacy-2025"), join(few.jobsFolder, job), { recursive: true });
  writeFileSync(join(trial, "verifier", "reward.txt"), "0");
  await expect(async () => {
    const { words } = await readPage(request, `${few.url}/jobs/${job}/trials/${name}`);
    const [top = ""] = words.split("Output tokens");
    expect(top).toMatch(/mismatch: \S+ 1\.0\} in result\.json, \S+ 0\.0\} in reward\.txt/u);
  }).toPass();
});

test("a trial shows its position in its list and ignores an invalid list", async ({ request, assay }) => {
  const job = "tb2-baseline";
  const trial = readRecordedTrials(assay.jobsFolder, job).find(({ reward }) => reward === 0);
  const address = `/jobs/${job}/trials/${trial?.name ?? ""}`;
  expect((await readPage(request, `${address}?list=outcome=passed`)).words).toMatch(
    /not among \d+ passed trials/u,
  );
  const broken = await readPage(request, `${address}?list=outcome=broken%26sort=cost`);
  expect(broken.words).toContain("unknown URL values: list.");
  expect(broken.words).not.toContain("not among");
  const { hrefs } = await readPage(request, `/jobs/${job}?tab=trials&task=hmac-log-audit`);
  expect(hrefs).toContain("/tasks/hmac-log-audit?dataset=terminal-mix");
  expect((await readPage(request, `/jobs/${job}?tab=trials`)).words).not.toContain("Task page");
});

test("equal outputs with different rewards are listed with their trials", async ({ request, assay }) => {
  const job = "voltage-drop-aec";
  const trials = readRecordedTrials(assay.jobsFolder, job);
  const outputs = Map.groupBy(trials, ({ name, task }) => {
    const bytes = readFileSync(join(assay.jobsFolder, job, name, "agent/output.jsonl"));
    return `${task} ${createHash("sha256").update(bytes).digest("hex")}`;
  });
  const [[output, same] = ["", []], ...others] = [...outputs].filter(
    ([, list]) => new Set(list.map(({ reward }) => reward)).size > 1,
  );
  expect(others).toEqual([]);
  expect((await readPage(request, `/jobs/${job}`)).words).toContain(
    `${same.length} trials: verifier not deterministic`,
  );
  const { words, rows } = await readPage(request, `/jobs/${job}?tab=verification`);
  expect(words).toContain(`${trials.length} of ${trials.length} trials checked`);
  const row = rows
    .find((cells) => cells.join(" ").includes(output.split(" ")[1]?.slice(0, 10) ?? "none"))
    ?.join(" ");
  for (const { reward } of same) expect(row).toContain(String(reward));
});

test("comparing dimensions with an unknown job reports it", async ({ request }) => {
  const { words } = await readPage(request, "/jobs/voltage-drop-aec?tab=dimensions&with=nowhere");
  expect(words).toContain("No such job or run set to compare with");
});

const evaluationLine = z.looseObject({ job_key: z.string(), trial_key: z.string(), evaluation: z.unknown() });
const parseLines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => evaluationLine.parse(JSON.parse(line)));

test("page, download and command line give the same evaluations, valid by the contract", async ({
  request,
  assay: { jobsFolder, dataFolder, runCli },
}) => {
  const job = "voltage-drop-aec";
  const output = join(dataFolder, "evaluations.jsonl");
  expect(runCli("evaluations", jobsFolder, "--format", "jsonl", "--output", output).code).toBe(0);
  const ours = parseLines(readFileSync(output, "utf8")).filter(({ job_key: key }) => key === job);
  rmSync(output);
  let served: typeof ours = [];
  // A starting server may still read the job, and then writes no file.
  await expect(async () => {
    const answer = await request.get(`/jobs/${job}/evaluations.jsonl?sort=started`);
    expect(answer.status()).toBe(200);
    served = parseLines(await answer.text());
  }).toPass();
  const byKey = (lines: typeof ours) => Object.fromEntries(lines.map((line) => [line.trial_key, line]));
  expect(ours).toHaveLength(30);
  expect(byKey(served)).toEqual(byKey(ours));
  for (const { evaluation } of ours) expect(parseEvaluationResult(evaluation)).toMatchObject({ ok: true });
  const [first] = ours;
  const address = `/jobs/${job}/trials/${first?.trial_key ?? ""}`;
  expect(await (await request.get(`${address}/evaluation.json`)).json()).toEqual(first);
  const { words } = await readPage(request, `${address}?tab=evaluation`);
  expect(words).toContain(`"trial_key": "${first?.trial_key ?? ""}"`);
});

test("without labels, the verifier's page explains how to begin and job pages correct no score", async ({
  request,
}) => {
  const { words, hrefs } = await readPage(request, "/annotations/verifier");
  expect(words).toContain("Verifier accuracy");
  expect(words).toContain("Draw a queue");
  expect(hrefs).toContain("/annotations/queues/new");
  const job = await readPage(request, "/jobs/tb2-orca-next");
  expect(job.words).toContain("Mean reward");
  expect(job.words).not.toContain("Corrected");
});
