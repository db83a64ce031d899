import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { FAILURE_CLASSES, OWNERS } from "@/lib/core/triage/classes";
import { getSampleFolder } from "@/lib/testing/samples.fixture";

import { runCli } from "./run-cli";
import type { OutputStream } from "./terminal";

let folder = "";
let jobs = "";
let document: z.infer<typeof documentSchema>;

const text = z.string().nullable();
const number = z.number().nullable();
const rewardList = z.array(z.object({ key: z.string(), value: number, text: z.string() })).nullable();
const lasting = z.object({ duration_ms: number });
const documentSchema = z.object({
  schema: z.literal("assay.trials/2"),
  trials: z.array(
    z.looseObject({
      attempt: z.number(),
      rewards: rewardList,
      reward_file: z.looseObject({
        file: z.string().optional(),
        message: z.string().optional(),
        rewards: rewardList.optional(),
      }),
      exception: z.object({ type: z.string(), message: z.string(), occurred_at: text }).nullable(),
      failure: z
        .object({
          class: z.enum(FAILURE_CLASSES),
          owner: z.enum(OWNERS),
          rule: text,
          evidence: z.array(z.object({ kind: z.string(), text: z.string(), file: z.string() })),
        })
        .nullable(),
      failure_state: z.enum(["none", "known"]),
      started_at: text,
      finished_at: text,
      duration_ms: number,
      phases: z.object({
        environment_setup: lasting,
        agent_setup: lasting,
        agent_execution: lasting,
        verifier: lasting,
      }),
      tokens: z.object({
        n_input_tokens: number,
        n_cache_tokens: number,
        n_output_tokens: number,
        cost_usd: number,
      }),
      steps: z.array(z.unknown()).nullable(),
    }),
  ),
});
type Trial = z.infer<typeof documentSchema>["trials"][number];

function makeStream(): OutputStream & { readonly read: () => string } {
  const parts: string[] = [];
  return { write: (part) => parts.push(part) > 0, once: () => undefined, read: () => parts.join("") };
}

async function run(...args: readonly string[]) {
  const [stdout, stderr] = [makeStream(), makeStream()];
  const code = await runCli(args, { stdout, stderr, env: {} });
  return { code, stdout: stdout.read(), stderr: stderr.read() };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-trials-"));
  jobs = join(folder, "jobs");
  // The two largest jobs add no kind of trial.
  const isKept = (from: string) => !/tb2-(?:baseline|orca-next)/u.test(from);
  cpSync(getSampleFolder(), jobs, { recursive: true, filter: isKept });
  const { stdout } = await run("trials", jobs, "--format", "json");
  document = documentSchema.parse(JSON.parse(stdout));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COPIED = [
  "job_key job_name job_id root folder key id config_job_id trial_name task_name task_digest source agent agent_version",
  "model provider evals_group state outcome rewards_problem",
].flatMap((names) => names.split(" "));

type Value = string | number | null;

function flattenFailure({ failure }: Trial): Record<string, Value> {
  return {
    failure_class: failure?.class ?? null,
    failure_owner: failure?.owner ?? null,
    failure_rule: failure?.rule ?? null,
    failure_evidence: failure?.evidence[0]?.text ?? null,
  };
}

/** Flat formats of a trial of the JSON document; `count` means whole numbers, which Parquet distinguishes. */
function flatten(trial: Trial, keys: readonly string[]) {
  const { exception, phases, tokens, reward_file: file } = trial;
  const texts: Record<string, Value> = {
    ...Object.fromEntries(COPIED.map((name) => [name, text.parse(trial[name])])),
    reward_file: file.file ?? null,
    reward_file_problem: file.message ?? null,
    exception_type: exception?.type ?? null,
    exception_message: exception?.message ?? null,
    failure_state: trial.failure_state,
    ...flattenFailure(trial),
  };
  const times = {
    exception_occurred_at: exception?.occurred_at ?? null,
    started_at: trial.started_at,
    finished_at: trial.finished_at,
  };
  const counts = {
    attempt: trial.attempt,
    duration_ms: trial.duration_ms,
    environment_setup_ms: phases.environment_setup.duration_ms,
    agent_setup_ms: phases.agent_setup.duration_ms,
    agent_execution_ms: phases.agent_execution.duration_ms,
    verifier_ms: phases.verifier.duration_ms,
    n_input_tokens: tokens.n_input_tokens,
    n_cache_tokens: tokens.n_cache_tokens,
    n_output_tokens: tokens.n_output_tokens,
    n_steps: trial.steps?.length ?? null,
  };
  const rewards = keys.flatMap((key) => [
    [`reward:${key}`, trial.rewards?.find((one) => one.key === key)] as const,
    [`reward_file:${key}`, file.rewards?.find((one) => one.key === key)] as const,
  ]);
  return { texts, times, counts, rewards, costUsd: tokens.cost_usd };
}

function listKeys(): string[] {
  return [...new Set(document.trials.flatMap(({ rewards }) => rewards?.map(({ key }) => key) ?? []))];
}

/** Parses RFC 4180 fields and removes the apostrophe of escaped formulas. */
function parseCsv(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain ?? "").replace(/^'(?=[=+\-@\t\r])/, ""));
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

describe("formats of assay trials", () => {
  test("give a reason for failed trials only", () => {
    const { trials } = document;
    expect(
      trials.every(({ failure, failure_state: state }) => (failure !== null) === (state === "known")),
    ).toBe(true);
    const failed = trials.filter(({ outcome }) => outcome === "failed" || outcome === "timeout");
    expect(failed.length).toBeGreaterThan(20);
    expect(failed.every(({ failure }) => failure !== null)).toBe(true);
    const passed = trials.filter(({ outcome }) => outcome === "passed" || outcome === "running");
    expect(passed.every(({ failure_state: state }) => state === "none")).toBe(true);
  });

  test("CSV has the values of the JSON document, trial by trial", async () => {
    const [heading = [], ...rows] = parseCsv((await run("trials", jobs, "--format", "csv")).stdout);
    expect(rows.length).toBe(document.trials.length);
    expect(rows.length).toBeGreaterThan(300);
    const keys = listKeys();
    for (const [index, trial] of document.trials.entries()) {
      const { texts, times, counts, rewards, costUsd } = flatten(trial, keys);
      const written = rewards.map(([name, value]) => [name, value?.text ?? null] as const);
      const expected = { ...texts, ...times, ...counts, cost_usd: costUsd, ...Object.fromEntries(written) };
      const row = Object.fromEntries(heading.map((name, column) => [name, rows[index]?.[column]]));
      expect(row).toMatchObject(
        Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, String(value ?? "")])),
      );
    }
  });

  test("Parquet has the values of the JSON document, trial by trial, and says what they are", async () => {
    const output = join(folder, "trials.parquet");
    expect(await run("trials", jobs, "--format", "parquet", "--output", output)).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    const file = new Uint8Array(readFileSync(output)).buffer;
    const rows = await parquetReadObjects({ file });
    expect(rows.length).toBe(document.trials.length);
    const keys = listKeys();
    expect(keys.length).toBeGreaterThan(1);
    for (const [index, trial] of document.trials.entries()) {
      const { texts, times, counts, rewards, costUsd } = flatten(trial, keys);
      const timed = Object.entries(times).flatMap(([name, value]) => [
        [name, value?.endsWith("Z") === true ? new Date(value) : null],
        // The exception's time has no zone, and only Parquet keeps its text.
        ...(name === "exception_occurred_at" ? [] : [[`${name}_text`, value]]),
      ]);
      const scored = rewards.flatMap(([name, value]) => [
        [name, value === undefined ? null : (value.value ?? Number(value.text))],
        [name.replace(":", "_text:"), value?.text ?? null],
      ]);
      const whole = Object.entries(counts).map(([name, value]) => [
        name,
        value === null ? null : BigInt(value),
      ]);
      expect(rows[index]).toMatchObject({
        ...texts,
        ...Object.fromEntries([...timed, ...scored, ...whole]),
        cost_usd: costUsd,
      });
    }
    const { key_value_metadata: pairs } = await parquetMetadataAsync(file);
    expect(pairs?.find(({ key }) => key === "assay.schema")?.value).toBe("assay.trials/2");
    expect(pairs?.find(({ key }) => key === "assay.version")?.value).toMatch(/^\d+\.\d+\.\d+/);
  });

  test("a file is written whole, outside the job folders, and nothing else stays", async () => {
    const output = join(folder, "out", "trials.json");
    const job = join(jobs, "kernel-steps");
    expect((await run("trials", job, "--format", "json", "--output", output)).stderr).toContain(
      "does not exist",
    );
    mkdirSync(join(folder, "out"));
    writeFileSync(output, "before");
    expect((await run("trials", job, "--format", "json", "--output", output)).code).toBe(0);
    expect(readFileSync(output, "utf8")).toBe((await run("trials", job, "--format", "json")).stdout);
    expect(readdirSync(join(folder, "out"))).toEqual(["trials.json"]);

    const inside = await run("trials", job, "--format", "csv", "--output", join(job, "trials.csv"));
    expect(inside).toMatchObject({ code: 2, stderr: expect.stringContaining("read-only") as unknown });
    expect(readdirSync(job)).not.toContain("trials.csv");
  });

  test("Parquet does not go to a terminal, and a format must be known", async () => {
    expect((await run("trials", jobs, "--format", "parquet")).stderr).toContain("--output FILE");
    expect((await run("trials", jobs, "--format", "xlsx")).stderr).toContain("table, json, csv or parquet");
  });
});
