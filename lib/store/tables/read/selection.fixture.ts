import type { TaskSelection } from "./tasks";
import type { TrialSelection } from "./trials";

/** No filter. */
export const EVERY_TRIAL: TrialSelection = {
  text: "",
  outcomes: [],
  exceptions: [],
  failureClasses: [],
  clusters: [],
  groups: [],
  agents: [],
  exceptAgents: [],
  digests: [],
  evidence: "",
  tasks: [],
  scanners: [],
  runs: null,
  rewardKey: null,
  reward: { min: null, max: null },
  costUsd: { min: null, max: null },
  durationMs: { min: null, max: null },
  endedFromMs: null,
  only: null,
  except: new Map(),
  figure: null,
  dimension: null,
};

/** No filter. */
export const EVERY_TASK: TaskSelection = {
  text: "",
  patterns: [],
  isDivided: false,
  outcomes: [],
  exceptions: [],
  only: null,
  except: [],
};
