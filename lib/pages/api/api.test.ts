import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { NotFoundError, StoreError } from "@/lib/core/domain/app-error";
import { API_SCHEMAS, prepareOpenApi } from "@/lib/output/api";
import { openIndex } from "@/lib/store/indexer";
import { jobFiles, makeFolder, trialResult, writeFiles } from "@/lib/testing/folder.fixture";
import { writeSyntheticJobs } from "@/lib/testing/synthetic";

import { answerApi, listJobs, listTrialsOf } from "./lists";

const AT = "http://127.0.0.1/api/v1";
const REWARDS = z.array(z.object({ value: z.number().nullable(), text: z.string() })).nullable();
/** As a client reads it. */
const asJson = (value: object): unknown => JSON.parse(JSON.stringify(value));

async function openFolder(root: string) {
  const data = mkdtempSync(join(tmpdir(), "api-"));
  const index = await openIndex({ roots: [root], environment: { ASSAY_DATA: data } });
  onTestFinished(async () => {
    await index.close();
    rmSync(data, { recursive: true, force: true });
  });
  await index.refresh();
  await index.settle();
  return index;
}

async function openSynthetic(trials: number, jobs: number) {
  const folder = mkdtempSync(join(tmpdir(), "api-jobs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeSyntheticJobs(folder, { trials, seed: 5, jobs });
  return openFolder(folder);
}

it("lists every trial of a job once, page by page, by its schema", async () => {
  const { store } = await openSynthetic(70, 2);
  const { jobs } = API_SCHEMAS.Jobs.parse(asJson(await listJobs(store, `${AT}/jobs`, 1)));
  const key = z.string().parse(jobs[0]?.["job_key"]);
  const seen: string[] = [];
  let cursor: string | null = null;
  let nPages = 0;
  do {
    const query: string = cursor === null ? "" : `&cursor=${cursor}`;
    const answer = await listTrialsOf(store, key, `${AT}/jobs/${key}/trials?limit=10${query}`);
    const page = API_SCHEMAS.Trials.parse(asJson(answer));
    expect(page.n_trials).toBe(35);
    seen.push(...page.trials.map((trial) => z.string().parse(trial["key"])));
    cursor = page.next_cursor;
    nPages += 1;
  } while (cursor !== null);
  expect([nPages, seen.length, new Set(seen).size]).toEqual([4, 35, 35]);
});

it("pages through jobs, and reports changes in between", async () => {
  const { store } = await openSynthetic(40, 5);
  const first = API_SCHEMAS.Jobs.parse(asJson(await listJobs(store, `${AT}/jobs?limit=2`, 7)));
  const next = `${AT}/jobs?limit=2&cursor=${first.next_cursor ?? ""}`;
  const second = API_SCHEMAS.Jobs.parse(asJson(await listJobs(store, next, 7)));
  const all = API_SCHEMAS.Jobs.parse(asJson(await listJobs(store, `${AT}/jobs`, 7)));
  const names = (page: typeof first) => [...new Set(page.jobs.map((job) => job["job_key"]))];
  expect([...names(first), ...names(second)]).toEqual(names(all).slice(0, 4));
  expect(all.next_cursor).toBeNull();
  await expect(listJobs(store, next, 8)).rejects.toThrow("Start again without a cursor");
  await expect(listJobs(store, `${next}&agent=orca`, 7)).rejects.toThrow("belongs to another list");
});

it("keeps NaN, -0, 0, missing rewards and missing results apart", async () => {
  const root = makeFolder(jobFiles("run", { one__aaaaaaa: 0, two__bbbbbbb: 1 }));
  const write = (name: string, reward: string) => {
    const text = JSON.stringify(trialResult(name, 1)).replace(/"rewards":\{"reward":1(?:\.0)?\}/u, reward);
    writeFiles(root, { [`run/${name}/result.json`]: text });
  };
  write("nan__ccccccc", '"rewards":{"reward":NaN}');
  write("minus__ddddddd", '"rewards":{"reward":-0.0}');
  write("none__eeeeeee", '"rewards":null');
  const { store } = await openFolder(root);
  const { trials } = API_SCHEMAS.Trials.parse(
    asJson(await listTrialsOf(store, "run", `${AT}/jobs/run/trials`)),
  );
  const rewards: Readonly<Record<string, unknown>> = Object.fromEntries(
    trials.map(({ trial_name: name, rewards: own, state, outcome }) => [
      z.string().parse(name).split("__")[0] ?? "",
      [state, outcome, REWARDS.parse(own)?.map(({ value, text }) => [value, text]) ?? null],
    ]),
  );
  expect(rewards).toMatchObject({
    one: ["finished", "failed", [[0, "0"]]],
    nan: ["finished", "unscored", [[null, "NaN"]]],
    minus: ["finished", "failed", [[0, "-0.0"]]],
    none: ["finished", "unscored", null],
  });
});

it("rejects unknown input, in JSON that says what to do", async () => {
  const { store } = await openSynthetic(10, 1);
  const ask = async (url: string) => answerApi(new Request(url), () => listJobs(store, url, 1));
  for (const [query, words] of [
    ["agnet=orca", "Unknown parameters: agnet"],
    ["limit=0", "limit takes a whole number"],
    ["limit=1001", "limit takes a whole number"],
    ["cursor=x", "belongs to another list"],
    ["sort=size", "unknown values: sort"],
  ] as const) {
    const answer = await ask(`${AT}/jobs?${query}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      400,
      expect.stringContaining("json"),
    ]);
    expect(API_SCHEMAS.Error.parse(await answer.json()).error.message).toContain(words);
  }
  const statusOf = async (error: Error) =>
    (await answerApi(new Request(AT), () => Promise.reject(error))).status;
  expect(await statusOf(new NotFoundError("none"))).toBe(404);
  expect(await statusOf(new StoreError("store_locked", "locked"))).toBe(503);
  await expect(statusOf(new Error("a fault"))).rejects.toThrow("a fault");
});

it("returns 304 if nothing changed, and the whole response otherwise", async () => {
  const ask = (etag: string, body: object) =>
    answerApi(new Request(AT, { headers: { "if-none-match": etag } }), () => body);
  const etag = (await ask("", { a: 1 })).headers.get("etag") ?? "";
  expect((await ask(etag, { a: 1 })).status).toBe(304);
  expect((await ask(`"x", W/${etag}`, { a: 1 })).status).toBe(304);
  expect((await ask(etag, { a: 2 })).status).toBe(200);
});

it("describes every answer in the OpenAPI document, without anything left unresolved", () => {
  const document = prepareOpenApi("1.0");
  const text = JSON.stringify(document);
  const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/gu)].map(([, name]) => name ?? "");
  expect(new Set(names)).toEqual(new Set(Object.keys(document.components.schemas)));
  expect(Object.keys(document.paths)).toEqual([
    "/api/v1/jobs",
    "/api/v1/jobs/{job}",
    "/api/v1/jobs/{job}/trials",
    "/api/v1/compare",
  ]);
  expect(text).not.toContain("$schema");
});
