import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { formatUtc, type Micros, MINUTE, parseInstant, SECOND } from "./clock";
import { prepareJobConfig, prepareTrialConfigFile } from "./harbor-config";
import { prepareJobLock } from "./harbor-lock";
import { prepareTrialResult } from "./harbor-result";
import { prepareJobResult } from "./job-figures";
import { formatJson, formatTemplate, type Template } from "./json-text";
import { Random } from "./random";
import type { AgentSpec, JobRecord, TrialRecord } from "./record";
import { prepareFinalMetrics } from "./trajectory";

/** The size of a benchmark folder. */
interface SyntheticOptions {
  /** Trials over all jobs, at least 1. */
  readonly trials: number;
  /** Any whole number; the same seed and sizes give the same bytes. */
  readonly seed: number;
  /** Attempts of each agent at each task; 5 by default. */
  readonly attempts?: number;
  /** Jobs to spread the trials over; one per 1,000 trials by default. */
  readonly jobs?: number;
  /** Called after each job with the trials written so far. */
  readonly onProgress?: (written: number, total: number) => void;
}

const AGENTS: readonly AgentSpec[] = [
  { name: "orca", version: "1.18.2", provider: "northsea", model: "meridian-4.5" },
  { name: "lamp", version: "0.44.1", provider: "brightwork", model: "halyard-2" },
];
const ATTEMPTS = 5;
const BASE = parseInstant("2026-09-01T06:00:00.000Z") + 417;

/** Placeholders for a trial's own values in the template; none occurs elsewhere in the text. */
const SENTINEL = {
  id: "@id@",
  name: "@name@",
  task: "@task@",
  input: 900000001,
  cache: 900000002,
  output: 900000003,
  cost: 9000.000004,
  reward: 9000.5,
  times: Array.from({ length: 10 }, (_, index) => BASE + index * MINUTE + 987),
} as const;

function sentinelTrial(agent: AgentSpec): TrialRecord {
  const span = (index: number): { from: Micros; to: Micros } => ({
    from: SENTINEL.times[index] ?? 0,
    to: SENTINEL.times[index + 1] ?? 0,
  });
  const pace = Array.from({ length: 96 }, (_, index) => 812.5 + ((index * 7919) % 4801));
  return {
    id: SENTINEL.id,
    name: SENTINEL.name,
    task: SENTINEL.task,
    attempt: 1,
    agent,
    state: "complete",
    span: span(0),
    environmentSetup: span(2),
    agentSetup: span(4),
    agentExecution: span(6),
    verifier: span(8),
    usage: {
      input: SENTINEL.input,
      cache: SENTINEL.cache,
      output: SENTINEL.output,
      costUsd: SENTINEL.cost,
      metadata: { n_episodes: 24n, summarization_count: 0n, api_request_times_msec: pace },
    },
    rewards: new Map([["reward", SENTINEL.reward]]),
    exception: null,
    steps: null,
    files: [],
    log: "",
  };
}

function slots(): string[] {
  const { id, name, task, input, cache, output, cost, reward, times } = SENTINEL;
  return [
    id,
    name,
    encodeURIComponent(name),
    task,
    String(input),
    String(cache),
    String(output),
    String(cost),
    String(reward),
    ...times.map(formatUtc),
  ];
}

function slotValues(trial: TrialRecord): string[] {
  const { span, environmentSetup, agentSetup, agentExecution, verifier, usage, rewards } = trial;
  const times = [span, environmentSetup, agentSetup, agentExecution, verifier].flatMap((part) =>
    part === null ? ["", ""] : [formatUtc(part.from), formatUtc(part.to)],
  );
  const numbers = [usage?.input ?? 0, usage?.cache ?? 0, usage?.output ?? 0].map(String);
  return [
    trial.id,
    trial.name,
    trial.name,
    trial.task,
    ...numbers,
    formatJson(usage?.costUsd ?? 0),
    formatJson(rewards?.get("reward") ?? 0),
    ...times,
  ];
}

function drawTrial(
  task: string,
  attempt: number,
  agent: AgentSpec,
  from: Micros,
  difficulty: number,
  rng: Random,
): TrialRecord {
  const at = (seconds: number): Micros => from + Math.round(seconds * SECOND) + rng.int(1, 998);
  const work = rng.between(60, 540);
  const input = rng.int(20_000, 400_000);
  const costUsd = rng.int(20_000, 1_900_000) / 1_000_000;
  const name = `${task.slice(0, 32)}__${rng.shortId()}`;
  return {
    id: rng.uuid(),
    name,
    task,
    attempt,
    agent,
    state: "complete",
    span: { from: from + 7, to: at(work + 41) },
    environmentSetup: { from: at(0.1), to: at(9) },
    agentSetup: { from: at(9.1), to: at(21) },
    agentExecution: { from: at(21.1), to: at(work + 21) },
    verifier: { from: at(work + 22), to: at(work + 40) },
    usage: { input, cache: Math.floor(input * 0.9), output: rng.int(2000, 30_000), costUsd },
    rewards: new Map([["reward", rng.chance(difficulty) ? 1 : 0]]),
    exception: null,
    steps: null,
    files: [],
    log: "",
  };
}

function drawJob(index: number, count: number, attempts: number, rng: Random): JobRecord {
  const perTask = AGENTS.length * attempts;
  const tasks = Array.from(
    { length: Math.ceil(count / perTask) },
    (_, task) => `synthetic-task-${String(task).padStart(5, "0")}`,
  );
  const startedAt = BASE + index * 40 * MINUTE;
  const trials: TrialRecord[] = [];
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    tasks.forEach((task, place) => {
      for (const agent of AGENTS) {
        if (trials.length < count)
          trials.push(
            drawTrial(
              task,
              attempt,
              agent,
              startedAt + trials.length * 2 * SECOND,
              ((place * 37) % 101) / 100,
              rng,
            ),
          );
      }
    });
  }
  const end = startedAt + count * 2 * SECOND + 20 * MINUTE;
  return {
    id: rng.uuid(),
    name: `bench-${String(index).padStart(4, "0")}`,
    flavour: "0.13.1",
    dataset: { name: "synthetic", version: "1.0", gitUrl: null, commit: null },
    tasks,
    agents: AGENTS,
    attempts,
    concurrent: 64,
    maxRetries: 0,
    startedAt,
    updatedAt: end,
    finishedAt: end,
    offsetMinutes: 0,
    retries: 0,
    trials,
    summation: "cpython-3.12",
    log: "",
    files: [],
  };
}

function trajectoryText(agent: AgentSpec): string {
  const steps = [
    { step_id: 1n, source: "user", message: "Synthetic task for measuring: nothing to do." },
    {
      step_id: 2n,
      source: "agent",
      message: "Looking around.",
      tool_calls: [{ tool_call_id: "call_1", function_name: "bash", arguments: { command: "ls" } }],
      observation: { results: [{ source_call_id: "call_1", content: "README.md" }] },
    },
    { step_id: 3n, source: "agent", message: "Done." },
  ];
  const metrics = prepareFinalMetrics(
    { input: 3120, cache: 2800, output: 211, costUsd: 0.0042 },
    steps.length,
  );
  return formatJson(
    {
      schema_version: "ATIF-v1.7",
      session_id: SENTINEL.id,
      agent: { name: agent.name, version: agent.version, model_name: agent.model },
      steps,
      final_metrics: metrics,
    },
    2,
  );
}

interface Templates {
  readonly result: Template;
  readonly config: Template;
  readonly trajectory: Template;
}

function prepareTemplates(job: JobRecord, agent: AgentSpec): Templates {
  const trial = sentinelTrial(agent);
  const texts = slots();
  return {
    result: formatTemplate(
      formatJson(prepareTrialResult(job, trial, new Map([[SENTINEL.task, "5".repeat(64)]]))),
      texts,
    ),
    config: formatTemplate(formatJson(prepareTrialConfigFile(job, trial)), texts),
    trajectory: formatTemplate(trajectoryText(agent), texts),
  };
}

function writeSyntheticJob(dir: string, job: JobRecord): void {
  const folder = join(dir, job.name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), formatJson(prepareJobConfig(job)));
  writeFileSync(
    join(folder, "lock.json"),
    formatJson(prepareJobLock({ ...job, trials: [] }, formatUtc(job.startedAt + 11), new Map())),
  );
  const templates = new Map(AGENTS.map((agent) => [agent.name, prepareTemplates(job, agent)]));
  for (const trial of job.trials) {
    const set = templates.get(trial.agent.name);
    if (set === undefined) continue;
    const values = slotValues(trial);
    const path = `${folder}/${trial.name}`;
    mkdirSync(path);
    mkdirSync(`${path}/agent`);
    mkdirSync(`${path}/verifier`);
    writeFileSync(`${path}/config.json`, set.config(values));
    writeFileSync(`${path}/agent/trajectory.json`, set.trajectory(values));
    writeFileSync(`${path}/verifier/reward.txt`, trial.rewards?.get("reward") === 1 ? "1\n" : "0\n");
    writeFileSync(`${path}/result.json`, set.result(values));
  }
  writeFileSync(join(folder, "job.log"), job.log);
  writeFileSync(join(folder, "result.json"), formatJson(prepareJobResult(job)));
}

/**
 * Writes benchmark jobs of any size below `dir`, synchronously: full results, small trajectories.
 *
 * @throws RangeError when `trials` or `jobs` is below 1
 */
export function writeSyntheticJobs(dir: string, options: SyntheticOptions): void {
  const { trials, seed, attempts = ATTEMPTS, onProgress } = options;
  const jobs = options.jobs ?? Math.max(1, Math.round(trials / 1000));
  if (trials < 1 || jobs < 1) throw new RangeError("trials and jobs must be at least 1");
  const rng = new Random(`synthetic/${seed}`);
  mkdirSync(dir, { recursive: true });
  let written = 0;
  for (let index = 0; index < jobs; index += 1) {
    const count = Math.floor(((index + 1) * trials) / jobs) - Math.floor((index * trials) / jobs);
    if (count > 0) writeSyntheticJob(dir, drawJob(index, count, attempts, rng.fork(String(index))));
    written += count;
    onProgress?.(written, trials);
  }
}
