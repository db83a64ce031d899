import { countAbsentTrials, type JobRecord, listRecordedNames } from "./job";
import type { KeptAttempts, LostKind, LostPart } from "./lost-part";
import { readCost } from "./spending";
import type { Trial } from "./trial";

type StatedJob = Pick<JobRecord, "state" | "time" | "recorded" | "log" | "planned" | "sourceJobs">;

export function listLostWork(
  job: StatedJob,
  trials: readonly Trial[],
  kept: KeptAttempts,
): readonly LostPart[] {
  const isCancelled = ({ outcome, trialName }: Trial) =>
    outcome === "cancelled" || job.log?.cancelled.has(trialName) === true;
  const cancelled = trials.filter((trial) => trial.state === "finished" && isCancelled(trial));
  const parts = [
    ...countRetried(job, kept),
    ...countTrials("cancelled", cancelled),
    ...countTrials(
      "no-result",
      trials.filter(({ state }) => state === "missing" || state === "unreadable"),
    ),
  ];
  // Lists and plan of a running job include work to come.
  if (job.state === "running") return parts;
  return [...parts, ...compareWithStats(job, trials), ...countTrials("earlier", findEarlier(job, trials))];
}

function countRetried({ recorded, log }: StatedJob, kept: KeptAttempts): readonly LostPart[] {
  const counter = recorded?.counters.get("n_retries");
  const counts = {
    recorded: counter === undefined ? null : Number(counter),
    logged: log?.nRetries ?? null,
    kept: kept.n,
  };
  const n = Math.max(counts.recorded ?? 0, counts.logged ?? 0, counts.kept);
  const { costUsd, nWithCost } = kept;
  return n === 0 ? [] : [{ kind: "retried", n, costUsd, nWithCost, example: null, counts }];
}

function compareWithStats(job: StatedJob, trials: readonly Trial[]): readonly LostPart[] {
  const names = listRecordedNames(job.recorded?.groups);
  const own = new Set(trials.map(({ trialName }) => trialName));
  const absent = [...names].filter((name) => !own.has(name));
  const nNeverBegun = countAbsentTrials(job.planned, trials.length + absent.length);
  const unnamed = listUnnamed(job, trials);
  const [example] = absent;
  const costUsd = example === undefined ? null : findAbsentCost(job, trials, new Set(unnamed));
  const none = { costUsd: null, nWithCost: 0, example: null, counts: null };
  return [
    ...(example === undefined
      ? []
      : [
          {
            ...{ kind: "named-only" as const, n: absent.length, example, counts: null },
            ...{ costUsd, nWithCost: costUsd === null ? 0 : absent.length },
          },
        ]),
    ...(nNeverBegun === 0 ? [] : [{ ...none, kind: "never-begun" as const, n: nNeverBegun }]),
    ...countTrials("unnamed", unnamed),
  ];
}

export function listUnnamed(
  { recorded, state }: Pick<JobRecord, "recorded" | "state">,
  trials: readonly Trial[],
): readonly Trial[] {
  const names = listRecordedNames(recorded?.groups);
  if (names.size === 0 || state !== "finished") return [];
  // Harbor lists a trial by its rewards and exceptions, so one without either is nowhere.
  return trials.filter(
    (trial) =>
      trial.state === "finished" &&
      !names.has(trial.trialName) &&
      ((trial.rewards?.size ?? 0) > 0 || trial.exception !== null),
  );
}

/** A difference below this share of a sum of costs is rounding. */
const ROUNDING = 1e-9;

/** Returns result.json's total cost minus that of the trials here; null without a total, or if nothing is left. */
function findAbsentCost(
  { recorded, sourceJobs }: StatedJob,
  trials: readonly Trial[],
  unnamed: ReadonlySet<Trial>,
): number | null {
  const stated = recorded?.totals.get("cost_usd");
  // Costs of a regrade are copies of its source's.
  if ((typeof stated !== "number" && typeof stated !== "bigint") || sourceJobs.length > 0) return null;
  const total = Number(stated);
  const here = sumKnown(trials.filter((trial) => !unnamed.has(trial))).costUsd ?? 0;
  const rest = total - here;
  return Number.isFinite(rest) && rest > ROUNDING * Math.abs(total) ? rest : null;
}

function findEarlier({ time }: StatedJob, trials: readonly Trial[]): readonly Trial[] {
  const start = time.startedAt;
  if (start?.zoned !== true) return [];
  return trials.filter(
    ({ time: { startedAt }, sourceTrial }) =>
      sourceTrial === null && startedAt?.zoned === true && startedAt.epochMs < start.epochMs,
  );
}

function countTrials(kind: LostKind, trials: readonly Trial[]): readonly LostPart[] {
  const [first] = trials;
  if (first === undefined) return [];
  return [{ kind, n: trials.length, ...sumKnown(trials), example: first.trialName, counts: null }];
}

/** Returns the sum of the known costs; null if none is known. */
export function sumKnown(
  trials: readonly Pick<Trial, "tokens" | "traceTokens">[],
): Pick<KeptAttempts, "costUsd" | "nWithCost"> {
  const known = trials.flatMap((trial) => readCost(trial) ?? []);
  return {
    costUsd: known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
    nWithCost: known.length,
  };
}
