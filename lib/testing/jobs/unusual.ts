import { LAMP, ORCA, ORCA_NEXT, type SampleAgent, TERN } from "../agents";
import { type Micros, MINUTE, parseInstant } from "../clock";
import type { Random } from "../random";
import type { DatasetSpec, JobRecord } from "../record";
import { STORIES, type Story } from "../story";
import type { FileEdit } from "../write-job";
import { cutJob, localDataset } from "./finish-job";
import { repeat } from "./outcomes";
import { TERMINAL_MIX, passesOf, prepareMixJob } from "./terminal-mix";

const INFRA_SMOKE: DatasetSpec = {
  name: "infra-smoke",
  version: "0.2",
  gitUrl: "https://git.example.org/bench/infra-smoke.git",
  commit: "0d4f7a1be6c93825f1407cd28e96b35a7d10c4e2",
};
const SMOKE_TASKS = [
  "tls-chain-rotate",
  "nginx-range-proxy",
  "udp-reorder-sim",
  "ldap-schema-merge",
  "strace-leak-hunt",
  "cron-drift-repair",
  "hmac-log-audit",
  "fix-locale-sort",
];

function storiesOf(tasks: readonly string[]): Story[] {
  return STORIES.filter((story) => tasks.includes(story.task));
}

/**
 * A job that still runs at `now`: finished, running and pending trials side by side, metrics so far, no pass@k.
 *
 * @param now - the present; the job started two hours and four minutes before
 */
export function prepareRunning(rng: Random, now: Micros): JobRecord {
  const job = prepareMixJob(
    {
      name: "tb2-canary-running",
      flavour: "0.22.0",
      dataset: TERMINAL_MIX,
      stories: STORIES,
      attempts: 5,
      concurrent: 3,
      startedAt: now - 124 * MINUTE,
      offsetMinutes: 0,
      agentModels: [
        {
          agent: ORCA_NEXT,
          passes: passesOf(3),
          breakdowns: [
            ...repeat(1, "AgentTimeoutError", 0),
            ...repeat(1, "EnvironmentStartTimeoutError", null),
          ],
        },
      ],
    },
    rng,
  );
  return cutJob(job, now, true);
}

/** A job whose runner died: nothing finished it, nothing runs, three attempts had been retried before. */
export function prepareInterrupted(rng: Random): JobRecord {
  const job = prepareMixJob(
    {
      name: "infra-smoke-interrupted",
      flavour: "0.13.1",
      dataset: INFRA_SMOKE,
      stories: storiesOf(SMOKE_TASKS),
      attempts: 5,
      concurrent: 3,
      startedAt: parseInstant("2026-11-09T08:50:10.009Z") + 250,
      offsetMinutes: 0,
      agentModels: [
        {
          agent: TERN,
          passes: passesOf(2),
          breakdowns: [
            ...repeat(2, "EnvironmentStartTimeoutError", null),
            ...repeat(1, "NonZeroAgentExitCodeError", 0),
          ],
        },
      ],
    },
    rng,
  );
  return { ...cutJob(job, job.startedAt + 31 * MINUTE, false), maxRetries: 2, retries: 3 };
}

/** Interrupted jobs of some versions carry an empty `trial_results`. */
export const addTrialResults: FileEdit = (path, content) =>
  path === "result.json" ? String(content).replace(/\n\}$/, ',\n    "trial_results": []\n}') : content;

/** A small finished job, to be edited by hand. */
export function prepareEdited(rng: Random): JobRecord {
  return prepareMixJob(
    {
      name: "infra-smoke-edited",
      flavour: "0.13.1",
      dataset: INFRA_SMOKE,
      stories: storiesOf(SMOKE_TASKS.slice(0, 6)),
      attempts: 3,
      concurrent: 3,
      startedAt: parseInstant("2026-11-10T10:31:00.664Z") + 8,
      offsetMinutes: 0,
      agentModels: [
        {
          agent: TERN,
          passes: (task) => Math.min(3, passesOf(2)(task)),
          breakdowns: repeat(1, "AgentTimeoutError", 0),
        },
      ],
    },
    rng,
  );
}

/** A user rounded the mean up in the job's result.json. */
export const editMean: FileEdit = (path, content) =>
  path === "result.json" ? String(content).replace(/"mean": [\d.]+/, '"mean": 0.75') : content;

function olderAgent(agent: SampleAgent, version: string, model: string): SampleAgent {
  return { ...agent, spec: { ...agent.spec, version, model } };
}

/** Files of 2025: the old counters, no pass@k, an orchestrator block, naive clocks everywhere, no dataset. */
export function prepareLegacy(rng: Random): JobRecord {
  const tasks = [
    "debug-race-queue",
    "port-makefile-meson",
    "regex-to-dfa",
    "csv-dialect-recover",
    "sqlite-wal-restore",
    "dedupe-git-history",
  ];
  return prepareMixJob(
    {
      name: "legacy-2025",
      flavour: "legacy",
      dataset: { ...localDataset("adhoc"), name: null },
      stories: storiesOf(tasks),
      attempts: 2,
      concurrent: 4,
      startedAt: parseInstant("2025-11-19T13:24:07.311Z") + 520,
      offsetMinutes: 60,
      agentModels: [
        {
          agent: olderAgent(ORCA, "0.9.4", "meridian-3"),
          passes: (task) => Math.min(2, passesOf(1)(task)),
          breakdowns: repeat(1, "AgentTimeoutError", 0),
        },
        {
          agent: olderAgent(LAMP, "0.21.0", "halyard-1"),
          passes: (task) => Math.min(2, passesOf(2)(task)),
          breakdowns: [],
        },
      ],
    },
    rng,
  );
}

/** A small job: `damageFiles` damages five trial folders, a sixth has NaN and Infinity literals in its details.json. */
export function prepareDamaged(rng: Random): JobRecord {
  const job = prepareMixJob(
    {
      name: "archive-damaged",
      flavour: "0.13.1",
      dataset: TERMINAL_MIX,
      stories: STORIES.slice(0, 10),
      attempts: 1,
      concurrent: 4,
      startedAt: parseInstant("2026-08-30T20:02:11.215Z") + 19,
      offsetMinutes: 0,
      agentModels: [{ agent: LAMP, passes: (task) => (passesOf(1)(task) > 2 ? 1 : 0), breakdowns: [] }],
    },
    rng,
  );
  const details = {
    path: "verifier/details.json",
    content: '{"speedup": NaN, "checked": 12, "worst_error": Infinity, "compliance": 1.0}\n',
  };
  return {
    ...job,
    trials: job.trials.map((trial, index) =>
      index === 5 ? { ...trial, files: [...trial.files, details] } : trial,
    ),
  };
}

const FOREIGN = `{\n  "job_name": "archive",\n  "base_repository": "bench/terminal-mix",\n  "summary": { "resolved": 6, "total": 10 },\n  "tasks": []\n}\n`;

/** The damage: a torn, an empty, a foreign and an absent result.json, and a reward.txt that disagrees. */
export function damageFiles(job: JobRecord): FileEdit {
  const [torn, empty, foreign, absent, disagreeing] = job.trials.map((trial) => trial.name);
  return (path, content) => {
    if (path === `${torn ?? ""}/result.json`)
      return String(content).slice(0, Math.floor(String(content).length * 0.6));
    if (path === `${empty ?? ""}/result.json`) return "";
    if (path === `${foreign ?? ""}/result.json`) return FOREIGN;
    if (path === `${absent ?? ""}/result.json`) return null;
    if (path === `${disagreeing ?? ""}/verifier/reward.txt`)
      return String(content).startsWith("1") ? "0\n" : "1\n";
    return content;
  };
}
