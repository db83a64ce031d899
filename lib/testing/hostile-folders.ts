import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Random } from "./random";

/** How large the texts and lists of hostile jobs are. */
export interface HostileSize {
  /** Characters of a name or a message. */
  readonly chars: number;
  /** Entries of a list or an object. */
  readonly items: number;
}

/** What a part of a trial's result.json, or a file of its folder, is overgrown with. */
interface Growth {
  readonly result?: object;
  /** By path below the trial. */
  readonly files?: Readonly<Record<string, unknown>>;
}

/** Markup, line breaks, other alphabets, half characters: what a text may be made of. */
const PIECES = [
  "a",
  "<b>&\"'",
  "\u202e\u0000\n",
  "名前",
  "\ud83d\ude00",
  "\ud83d",
  "-",
  "__",
  "/../",
  "%2e%",
];

/** One job for each kind of overgrowth, by its folder's name. */
export const HOSTILE_KINDS: Readonly<Record<string, (grow: Grower) => Growth>> = {
  "task-name": (grow) => ({ result: { task_name: grow.text() } }),
  "trial-name": (grow) => ({ result: { trial_name: grow.text() } }),
  agent: (grow) => ({
    result: {
      agent_info: { name: grow.text(), version: grow.text(), model_info: { name: "m1", provider: "p" } },
    },
  }),
  model: (grow) => ({
    result: {
      agent_info: { name: "a", version: "1", model_info: { name: grow.text(), provider: grow.text() } },
    },
  }),
  dataset: (grow) => ({ result: { source: grow.text(), task_checksum: grow.text(), id: grow.text() } }),
  exception: (grow) => ({
    result: {
      exception_info: {
        exception_type: "ValueError",
        exception_message: grow.text(),
        exception_traceback: grow.text(),
        occurred_at: "2026-05-01T10:00:00",
      },
    },
  }),
  "exception-type": (grow) => ({
    result: {
      exception_info: {
        exception_type: grow.text(),
        exception_message: "m",
        exception_traceback: "t",
        occurred_at: "2026-05-01T10:00:00",
      },
    },
  }),
  "reward-keys": (grow) => ({ result: { verifier_result: { rewards: grow.object((n) => n % 2) } } }),
  "reward-key": (grow) => ({ result: { verifier_result: { rewards: { [grow.text()]: 1 } } } }),
  steps: (grow) => ({
    result: {
      step_results: grow.list((n) => ({
        step_name: `${n} ${grow.word()}`,
        verifier_result: { rewards: { reward: n % 2 } },
        exception_info: null,
      })),
    },
  }),
  "step-name": (grow) => ({
    result: { step_results: [{ step_name: grow.text(), verifier_result: { rewards: { reward: 1 } } }] },
  }),
  config: (grow) => ({
    result: {
      config: {
        agent: { name: "a", model_name: "p/m", kwargs: grow.object(() => grow.word()) },
        task: { path: grow.text() },
      },
    },
    files: {
      "config.json": {
        [grow.text()]: grow.text(),
        agent: { name: "a", env: grow.object(() => grow.word()) },
      },
    },
  }),
  "config-value": (grow) => ({
    result: { config: { agent: { name: "a", kwargs: { prompt: grow.text(), [grow.text()]: 1 } } } },
  }),
  dimensions: (grow) => ({
    files: {
      "verifier/reward-details.json": { reward: grow.object((n) => ({ score: n % 2, reason: grow.word() })) },
    },
  }),
  dimension: (grow) => ({
    files: { "verifier/reward-details.json": { [grow.text()]: { score: 1, reasoning: grow.text() } } },
  }),
  criteria: (grow) => ({
    files: {
      "verifier/reward-details.json": {
        reward: {
          score: 0.5,
          criteria: grow.list((n) => ({ name: `c${n}`, value: n % 2, reasoning: grow.word() })),
        },
      },
    },
  }),
  tags: (grow) => ({
    files: { "verifier/details.json": { error_tags: [grow.text(), ...grow.list((n) => `tag ${n}`)] } },
  }),
  analysis: (grow) => ({
    files: {
      "analysis.json": {
        summary: grow.text(),
        checks: grow.object(() => ({ outcome: "fail", explanation: grow.word() })),
      },
    },
  }),
  tests: (grow) => ({
    files: {
      "verifier/ctrf.json": {
        results: {
          tool: { name: grow.text() },
          summary: {},
          tests: grow.list((n) => ({
            name: `test ${n}`,
            status: n % 2 ? "passed" : "failed",
            message: grow.word(),
          })),
        },
      },
    },
  }),
  "test-message": (grow) => ({
    files: {
      "verifier/ctrf.json": {
        results: {
          tests: [{ name: grow.text(), status: "failed", message: grow.text(), trace: grow.text() }],
        },
      },
    },
  }),
  trajectory: (grow) => ({
    files: {
      "agent/trajectory.json": {
        schema_version: "ATIF-v1.4",
        agent: { name: grow.text() },
        steps: grow.list((n) => ({ step_id: n + 1, source: n % 2 ? "agent" : "user", message: grow.word() })),
      },
    },
  }),
  message: (grow) => ({
    files: {
      "agent/trajectory.json": {
        schema_version: "ATIF-v1.4",
        agent: { name: "a" },
        steps: [
          { step_id: 1, source: "user", message: grow.text() },
          {
            step_id: 2,
            source: "agent",
            message: grow.text(),
            reasoning_content: grow.text(),
            tool_calls: [
              { tool_call_id: "1", function_name: grow.text(), arguments: { command: grow.text() } },
            ],
            observation: { results: [{ source_call_id: "1", content: grow.text() }] },
          },
        ],
      },
    },
  }),
  logs: (grow) => ({
    files: {
      "trial.log": grow.text(),
      "exception.txt": grow.text(),
      "verifier/test-stdout.txt": grow.text(),
    },
  }),
  files: (grow) => ({
    files: Object.fromEntries(
      Array.from({ length: Math.min(grow.size.items, 5000) }, (_, n) => [`artifacts/${n}/${n}.txt`, "x"]),
    ),
  }),
};

/** Texts and lists of one size, of the same stream whenever it is made anew. */
export class Grower {
  readonly size: HostileSize;
  private readonly random: Random;

  constructor(size: HostileSize, random: Random) {
    this.size = size;
    this.random = random;
  }

  /** A text of the size, another one with every call. */
  text(): string {
    const piece = `${this.word()}${PIECES[this.random.int(0, PIECES.length - 1)] ?? ""}`;
    return piece.repeat(Math.ceil(this.size.chars / piece.length)).slice(0, this.size.chars);
  }

  word(): string {
    return `w${this.random.int(0, 1 << 30)}`;
  }

  list<T>(make: (n: number) => T): readonly T[] {
    return Array.from({ length: this.size.items }, (_, n) => make(n));
  }

  object<T>(make: (n: number) => T): Readonly<Record<string, T>> {
    return Object.fromEntries(this.list((n) => [`key ${n}`, make(n)]));
  }
}

/** A job of hostile trials, by the kind of {@link HOSTILE_KINDS} that it is overgrown with. */
export interface HostileJob {
  readonly kind: string;
  /** Folder names of its trials. */
  readonly trials: readonly string[];
}

/**
 * Writes jobs of two trials each, one job for every kind of overgrowth, and one whose own files are overgrown.
 *
 * @param folder - absolute; the jobs are made in it
 */
export function writeHostileJobs(folder: string, size: HostileSize, random: Random): readonly HostileJob[] {
  return Object.entries(HOSTILE_KINDS).map(([kind, grow]) => {
    const grower = new Grower(size, random.fork(kind));
    const trials = ["alpha__AAAAAAA", "beta__BBBBBBB"];
    write(join(folder, kind), {
      "job.log": "",
      "config.json": {
        job_name: kind,
        n_attempts: 1,
        agents: [{ name: "a" }],
        metrics: grower.list(() => ({ type: "mean" })),
      },
      "result.json": prepareJobResult(grower, trials.length),
    });
    for (const trial of trials) {
      const { result, files } = grow(grower);
      write(join(folder, kind, trial), {
        "result.json": { ...prepareResult(trial), ...result },
        "verifier/reward.txt": "1\n",
        ...files,
      });
    }
    return { kind, trials };
  });
}

function prepareJobResult(grower: Grower, nTrials: number): object {
  return {
    id: grower.text(),
    started_at: "2026-05-01T10:00:00",
    finished_at: "2026-05-01T11:00:00",
    n_total_trials: nTrials,
    stats: {
      n_trials: nTrials,
      n_errors: 0,
      evals: {
        [grower.text()]: { n_trials: 1, n_errors: 0, metrics: [{ mean: 1, [grower.text()]: 2 }] },
        ...grower.object(() => ({ n_trials: 1, n_errors: 0, metrics: [{ mean: 1 }] })),
      },
    },
  };
}

function prepareResult(trial: string): object {
  return {
    id: `id-${trial}`,
    task_name: trial.slice(0, 5),
    trial_name: trial,
    trial_uri: "file:///x",
    task_id: { path: "t" },
    source: "bench",
    task_checksum: "ab",
    config: { task: { path: "t" }, trial_name: trial, agent: { name: "a", model_name: "p/m" } },
    agent_info: { name: "a", version: "1", model_info: { name: "m", provider: "p" } },
    agent_result: null,
    verifier_result: { rewards: { reward: 1 } },
    exception_info: null,
    started_at: "2026-05-01T10:00:00Z",
    finished_at: "2026-05-01T10:10:00Z",
  };
}

function write(folder: string, files: Readonly<Record<string, unknown>>): void {
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, typeof content === "string" ? content : JSON.stringify(content));
  }
}
