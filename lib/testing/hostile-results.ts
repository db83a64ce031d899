/** Folder names of a hostile job's trials. */
export const TRIALS = ["alpha__AAAAAAA", "beta__BBBBBBB"] as const;

/** The agent part of a result.json, with the model `m`. */
export function nameAgent(name: string): object {
  return { agent_info: { name, version: "1", model_info: { name: "m", provider: "p" } } };
}

/** The evals groups of a hostile job's trials, one of each. */
export const GROUPS = TRIALS.map((trial) => `${trial.slice(0, 1)}__m__bench`);

/** The exception part of a result.json. */
export function raise(type: string): object {
  return {
    exception_info: {
      exception_type: type,
      exception_message: "m",
      exception_traceback: "t",
      occurred_at: "2026-05-01T10:00:00",
    },
  };
}

/** The result.json of a hostile trial, which passed; its agent is called like the first letter of its name. */
export function prepareResult(trial: string): object {
  return {
    id: `id-${trial}`,
    task_name: trial.slice(0, 5),
    trial_name: trial,
    trial_uri: "file:///x",
    task_id: { path: "t" },
    source: "bench",
    task_checksum: "ab",
    config: { task: { path: "t" }, trial_name: trial, agent: { name: "a", model_name: "p/m" } },
    ...nameAgent(trial.slice(0, 1)),
    agent_result: null,
    verifier_result: { rewards: { reward: 1 } },
    exception_info: null,
    started_at: "2026-05-01T10:00:00Z",
    finished_at: "2026-05-01T10:10:00Z",
  };
}

/** The result.json of a hostile job; `metric` is added to what the first of its groups records. */
export function prepareJobResult(metric: object, groups: readonly string[], id = "job"): object {
  const prepareGroup = (metrics: object) => ({ n_trials: 1, n_errors: 0, metrics: [metrics] });
  return {
    id,
    started_at: "2026-05-01T10:00:00",
    finished_at: "2026-05-01T11:00:00",
    n_total_trials: TRIALS.length,
    stats: {
      n_trials: TRIALS.length,
      n_errors: 0,
      evals: Object.fromEntries(
        groups.map((name, n) => [name, prepareGroup(n === 0 ? { mean: 1, ...metric } : { mean: 1 })]),
      ),
    },
  };
}
