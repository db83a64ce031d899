import { type FolderFiles, jobFiles, trialResult } from "./folder.fixture";

/** Jobs as Harbor 0.24.0 writes them for a source, its regrade and a diff to it, without what no reader needs. */

/** Ids of the jobs. */
export const LINEAGE_IDS = {
  source: "39b2765c-1e25-4b35-b235-76e51145b50e",
  regrade: "ea089add-c028-4722-b978-cebad4dda636",
  diff: "7c1f55fd-6fc6-4cbb-8bd0-0a2c24a2b8cf",
} as const;

type LineageJob = keyof typeof LINEAGE_IDS;

interface LockedTask {
  readonly folder: string;
  readonly version?: string;
  /** A letter that its digest is made of. */
  readonly digest: string;
}

interface LineageTrial {
  readonly name: string;
  readonly reward: number | null;
  readonly task: LockedTask;
  /** The source trial's name and task; none for a trial that was run. */
  readonly regrades?: { readonly name: string; readonly task: LockedTask };
  readonly over?: FolderFiles;
}

/** A task as locks state it. */
function lockTask(folder: string, version: string | undefined, digest: string): LockedTask {
  return { folder, digest, ...(version === undefined ? {} : { version }) };
}

/** Id of a trial of these jobs. */
export function trialId(name: string): string {
  return `id-of-${name}`;
}

/** The folder of one such job; every source trial is of the job `source`. */
function lineageJob(job: LineageJob, trials: readonly LineageTrial[], config: FolderFiles): FolderFiles {
  const rewards = Object.fromEntries(trials.map(({ name, reward }) => [name, reward ?? 0]));
  const absent = new Set(
    trials.flatMap(({ name, reward }) => (reward === null ? [`${job}/${name}/verifier/reward.txt`] : [])),
  );
  const files: Record<string, unknown> = Object.fromEntries(
    Object.entries(jobFiles(job, rewards, { id: LINEAGE_IDS[job] })).filter(([path]) => !absent.has(path)),
  );
  files[`${job}/config.json`] = { job_name: job, jobs_dir: "/data/jobs", ...config };
  files[`${job}/lock.json`] = {
    schema_version: 3,
    harbor: { version: "0.24.0" },
    trials: trials.map(writeLock),
  };
  for (const trial of trials) {
    const { name, reward, task, over } = trial;
    const folder = `${job}/${name}`;
    const written = {
      task: { path: `/data/tasks/${task.folder}` },
      trial_name: name,
      agent: { name: "orca", model_name: "lab/m1" },
      job_id: LINEAGE_IDS[job],
      ...writeSource(trial),
    };
    files[`${folder}/result.json`] = trialResult(name, reward, { config: written, ...over });
    files[`${folder}/config.json`] = written;
    files[`${folder}/lock.json`] = writeLock(trial);
  }
  return files;
}

/** `source_jobs` of a config. */
function sourceJobs(action: "regrade" | "diff"): readonly FolderFiles[] {
  return [{ action, type: "local", job_id: LINEAGE_IDS.source, path: "/data/jobs/source" }];
}

function writeSource({ regrades }: LineageTrial): FolderFiles {
  if (regrades === undefined) return {};
  const { name } = regrades;
  return {
    source_trial: {
      action: "regrade",
      type: "local",
      trial_id: trialId(name),
      path: `/data/jobs/source/${name}`,
    },
  };
}

function writeTask({ folder, version, digest }: LockedTask): FolderFiles {
  return {
    name: folder,
    version,
    type: "local",
    digest: `sha256:${digest.repeat(64)}`,
    path: `/data/tasks/${folder}`,
  };
}

function writeLock(trial: LineageTrial): FolderFiles {
  const { source_trial: source } = writeSource(trial);
  return {
    schema_version: 2,
    task: writeTask(trial.task),
    agent: { name: "orca", model_name: "lab/m1" },
    ...(trial.regrades === undefined
      ? {}
      : { source_trial: { ...(source as FolderFiles), task: writeTask(trial.regrades.task) } }),
  };
}

const V1 = (folder: string) => lockTask(folder, "1.0.0", "a");
const V2 = (folder: string) => lockTask(folder, "1.1.0", "b");

/**
 * A source of four tasks by two attempts, and its regrade by a later version of every verifier: one trial up, one down,
 * three unchanged, one newly scored, one no longer scored, one never scored.
 */
export function regradeFiles(): FolderFiles {
  const rewards: readonly (readonly [name: string, old: number | null, now: number | null])[] = [
    ["alpha__aaaaaaa", 1, 1],
    ["alpha__aaaaaab", 0, 1],
    ["beta__bbbbbba", 0, 0],
    ["beta__bbbbbbb", 1, 0],
    ["gamma__ggggga", 0.5, 0.5],
    ["gamma__gggggb", null, 1],
    ["delta__ddddda", 1, null],
    ["delta__dddddb", null, null],
  ];
  const folderOf = (name: string) => name.slice(0, name.indexOf("__"));
  const named = (name: string) => ({ task_name: folderOf(name) });
  return {
    ...lineageJob(
      "source",
      rewards.map(([name, reward]) => ({ name, reward, task: V1(folderOf(name)), over: named(name) })),
      { n_attempts: 2, agents: [{ name: "orca" }], datasets: [{ path: "/data/tasks" }] },
    ),
    ...lineageJob(
      "regrade",
      rewards.map(([name, , reward]) => ({
        name: `${name}r`,
        reward,
        task: V2(folderOf(name)),
        regrades: { name, task: V1(folderOf(name)) },
        over: named(name),
      })),
      { tasks: [{ path: "/data/tasks/alpha" }], source_jobs: sourceJobs("regrade") },
    ),
  };
}

/**
 * The diff of two attempts at five tasks to a source of four: `alpha` is reused whole, `beta` regraded once and rerun once,
 * `gamma` rerun for its major version, `delta` has no version, `omega` is not in the source.
 */
export function diffFiles(config: FolderFiles = { datasets: [{ path: "/data/tasks" }] }): FolderFiles {
  const run = (name: string, task: LockedTask) => ({
    name,
    reward: 1,
    task,
    over: { task_name: task.folder },
  });
  const twice = (task: LockedTask) => [
    run(`${task.folder}__xxxxxx1`, task),
    run(`${task.folder}__xxxxxx2`, task),
  ];
  const source = [V1("alpha"), V1("beta"), V1("gamma"), lockTask("delta", undefined, "a")];
  const regraded = {
    ...run("beta__yyyyyy1", V2("beta")),
    regrades: { name: "beta__xxxxxx1", task: V1("beta") },
  };
  return {
    ...lineageJob("source", source.flatMap(twice), {
      n_attempts: 2,
      agents: [{ name: "orca" }],
      datasets: [{ path: "/data/tasks" }],
    }),
    ...lineageJob(
      "diff",
      [
        regraded,
        run("beta__yyyyyy2", V2("beta")),
        ...[
          lockTask("gamma", "2.0.0", "c"),
          lockTask("delta", undefined, "b"),
          lockTask("omega", "1.0.0", "a"),
        ]
          .flatMap(twice)
          .map((trial) => ({ ...trial, name: trial.name.replace("__x", "__y") })),
      ],
      { n_attempts: 2, agents: [{ name: "orca" }], source_jobs: sourceJobs("diff"), ...config },
    ),
  };
}
