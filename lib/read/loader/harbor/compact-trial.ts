import type { ClockTime, Moment, ClockInterval } from "@/lib/core/domain/clock-time";
import {
  BARE_TRIAL,
  type TokenUsage,
  type Trial,
  type TrialException,
  type TrialFiles,
} from "@/lib/core/domain/trial";
import type { ConfiguredNames } from "@/lib/read/schema/stored-source";

import { DeflatedValues } from "../deflated-values";
import type { MemoryBudget } from "../memory-budget";
import type { StringPool } from "../string-pool";
import type { WholeReading } from "./trial-files";

export type TrialDetails = Pick<Trial, "phases" | "resultDigest"> & {
  readonly exception: Pick<TrialException, "message" | "traceback"> | null;
  readonly times: readonly (string | null)[];
  readonly configured: ConfiguredNames | null;
  readonly stamp: string;
};

/** Numbers per trial: start and end epochs, four usage values and flags. */
const N_NUMBERS = 7;
const FLAGS = 6;
/** Flag bit of a zoned start; the next bit is for the end. Lower bits mark known numbers. */
const ZONED_BIT = 6;

export class TrialBatch {
  private readonly details = new DeflatedValues<TrialDetails>();
  private numbers: number[] | Float64Array = [];

  get isFull(): boolean {
    return this.details.isFull;
  }

  add(details: TrialDetails, { startedAt, finishedAt }: ClockInterval, tokens: TokenUsage): number {
    const place = this.details.add(details);
    const { inputTokens, cacheTokens, outputTokens, costUsd } = tokens;
    const known = [startedAt?.epochMs, finishedAt?.epochMs, inputTokens, cacheTokens, outputTokens, costUsd];
    let flags = (startedAt?.zoned === true ? 1 : 0) + (finishedAt?.zoned === true ? 2 : 0);
    flags *= 2 ** ZONED_BIT;
    for (const [at, number] of known.entries()) {
      this.numbers[place * N_NUMBERS + at] = number ?? 0;
      if (typeof number === "number") flags += 2 ** at;
    }
    this.numbers[place * N_NUMBERS + FLAGS] = flags;
    if (this.isFull) this.numbers = Float64Array.from(this.numbers);
    return place;
  }

  readTokens(place: number): TokenUsage {
    return {
      inputTokens: this.readNumber(place, 2),
      cacheTokens: this.readNumber(place, 3),
      outputTokens: this.readNumber(place, 4),
      costUsd: this.readNumber(place, 5),
    };
  }

  private readNumber(place: number, at: number): number | null {
    return this.hasFlag(place, at) ? (this.numbers[place * N_NUMBERS + at] ?? null) : null;
  }

  readMoment(place: number, at: 0 | 1): Moment | null {
    const epochMs = this.readNumber(place, at);
    return epochMs === null ? null : { epochMs, zoned: this.hasFlag(place, ZONED_BIT + at) };
  }

  readDetails(place: number): TrialDetails {
    return this.details.read(place);
  }

  private hasFlag(place: number, bit: number): boolean {
    return (((this.numbers[place * N_NUMBERS + FLAGS] ?? 0) >> bit) & 1) === 1;
  }
}

/** Fields that differ in most trials of a job. */
const OWN = [
  "folder",
  "rewardFile",
  "id",
  "trialName",
  "taskName",
  "taskDigest",
  "rewards",
  "key",
  "attempt",
  "outcome",
  "groupKey",
  "isRewardValid",
] as const;
/** Fields that are equal in most trials of a job. */
const COMMON = [
  "jobUuid",
  "source",
  "agent",
  "agentVersion",
  "model",
  "recordedModel",
  "provider",
  "state",
  "settings",
  "environment",
  "recordedValidity",
] as const;
const BATCHED = ["time", "tokens", "phases", "resultDigest"] as const;

type Own = Pick<Trial, (typeof OWN)[number]>;
type Common = Pick<Trial, (typeof COMMON)[number]>;
/** Fields that are null in most trials. */
type Rare = Omit<Trial, keyof Own | keyof Common | (typeof BATCHED)[number] | "exception"> & {
  readonly exception: Omit<TrialException, "message" | "traceback"> | null;
};

const OTHERS: ReadonlySet<string> = new Set([...OWN, ...COMMON, ...BATCHED]);
const RARE = Object.keys(BARE_TRIAL).filter((name) => !OTHERS.has(name)) as readonly (keyof Rare)[];
const NO_RARE: Rare = pick(BARE_TRIAL, RARE);

/** Types the fields that getters of the class read from a part. */
const Parts = Object as unknown as new () => Own & Common & Omit<Rare, "exception">;

/**
 * Compact form during a reading: equal parts are shared, and texts that few read are deflated. Reading these is slow unless trials
 * are read in order. Fields are not own properties: copy with {@link CompactTrial.with} or {@link completeTrial}.
 */
export class CompactTrial extends Parts implements Trial {
  private readonly own: Own;
  private readonly common: Common;
  private readonly rare: Rare;
  private readonly batch: TrialBatch;
  private readonly place: number;

  static {
    const define = (part: "own" | "common" | "rare", names: readonly string[]) => {
      for (const name of names)
        Object.defineProperty(this.prototype, name, {
          get(this: CompactTrial) {
            return this[part][name as never];
          },
        });
    };
    define("own", OWN);
    define("common", COMMON);
    define(
      "rare",
      RARE.filter((name) => name !== "exception"),
    );
  }

  constructor(own: Own, common: Common, rare: Rare, batch: TrialBatch, place: number) {
    super();
    this.own = own;
    this.common = common;
    this.rare = rare;
    this.batch = batch;
    this.place = place;
  }

  get exception(): TrialException | null {
    const { exception } = this.rare;
    return exception && new CompactException(exception, this);
  }

  get time(): Trial["time"] {
    const { batch, place } = this;
    const [startedAt, finishedAt] = [batch.readMoment(place, 0), batch.readMoment(place, 1)];
    return {
      startedAt: startedAt && new CompactTime(startedAt, this, 0),
      finishedAt: finishedAt && new CompactTime(finishedAt, this, 1),
    };
  }

  get tokens(): TokenUsage {
    return this.batch.readTokens(this.place);
  }

  get phases(): Trial["phases"] {
    return this.details.phases;
  }

  get resultDigest(): string | null {
    return this.details.resultDigest;
  }

  get details(): TrialDetails {
    return this.batch.readDetails(this.place);
  }

  with(changes: Partial<Own & Common & Rare>): CompactTrial {
    const { own, common, rare, batch, place } = this;
    return new CompactTrial(
      change(own, changes),
      change(common, changes),
      change(rare, changes),
      batch,
      place,
    );
  }

  complete(): Trial {
    const { own, common, rare, tokens, time } = this;
    const { exception, phases, resultDigest, times } = this.details;
    const copyTime = (moment: Moment | null, text: string | null = "") =>
      moment && { text: text ?? "", epochMs: moment.epochMs, zoned: moment.zoned };
    return {
      ...{ ...BARE_TRIAL, ...own, ...common, ...rare, tokens, phases, resultDigest },
      exception: rare.exception && { message: "", traceback: null, ...exception, ...rare.exception },
      time: {
        startedAt: copyTime(time.startedAt, times[0]),
        finishedAt: copyTime(time.finishedAt, times[1]),
      },
    };
  }
}

class CompactTime implements ClockTime {
  readonly epochMs: number;
  readonly zoned: boolean;
  readonly #trial: CompactTrial;
  readonly #at: 0 | 1;

  constructor({ epochMs, zoned }: Moment, trial: CompactTrial, at: 0 | 1) {
    this.epochMs = epochMs;
    this.zoned = zoned;
    this.#trial = trial;
    this.#at = at;
  }

  get text(): string {
    return this.#trial.details.times[this.#at] ?? "";
  }
}

class CompactException implements TrialException {
  readonly type: TrialException["type"];
  readonly occurredAt: TrialException["occurredAt"];
  readonly policyOverride: TrialException["policyOverride"];
  readonly configuredOverride: TrialException["configuredOverride"];
  readonly recordedPolicy: TrialException["recordedPolicy"];
  readonly #trial: CompactTrial;

  constructor(brief: NonNullable<Rare["exception"]>, trial: CompactTrial) {
    this.type = brief.type;
    this.occurredAt = brief.occurredAt;
    this.policyOverride = brief.policyOverride;
    this.configuredOverride = brief.configuredOverride;
    this.recordedPolicy = brief.recordedPolicy;
    this.#trial = trial;
  }

  get message(): string {
    return this.#trial.details.exception?.message ?? "";
  }

  get traceback(): string | null {
    return this.#trial.details.exception?.traceback ?? null;
  }
}

function change<Part extends object>(part: Part, changes: Partial<Part>): Part {
  const changed = Object.entries(changes).filter(
    ([name, value]) => name in part && part[name as keyof Part] !== value,
  );
  return changed.length === 0 ? part : { ...part, ...Object.fromEntries(changed) };
}

function pick<Value extends object, Name extends keyof Value>(
  value: Value,
  names: readonly Name[],
): Pick<Value, Name> {
  return Object.fromEntries(names.map((name) => [name, value[name]])) as Pick<Value, Name>;
}

export interface TrialReading extends Pick<WholeReading, "issues" | "probes"> {
  readonly record: CompactTrial;
  readonly budgetBytes: number;
}

/** Gives a trial whose fields are own properties. */
export function completeTrial(trial: Trial): Trial {
  return trial instanceof CompactTrial ? trial.complete() : trial;
}

const NO_ISSUES: TrialReading["issues"] = [];

type ReadFiles = Pick<TrialDetails, "configured" | "stamp">;

const NO_FILES: ReadFiles = { configured: null, stamp: "" };

/** Alternating agents, models and settings; a longer search would cost more than it saves. */
const MOST_LATEST = 32;

export class TrialCompactor {
  private readonly pool: StringPool;
  private batch = new TrialBatch();
  private latest: readonly Common[] = [];

  constructor(pool: StringPool) {
    this.pool = pool;
  }

  compactReading(reading: WholeReading, budget: MemoryBudget): TrialReading {
    const { record, issues, probes } = reading;
    return {
      record: this.compact(record, reading),
      budgetBytes: budget.measure(reading),
      issues: issues.length === 0 ? NO_ISSUES : issues,
      probes,
    };
  }

  compact(files: TrialFiles, { configured, stamp }: ReadFiles = NO_FILES): CompactTrial {
    const { pool } = this;
    const trial: Trial = { ...BARE_TRIAL, ...files };
    const { phases, resultDigest, exception, time, tokens } = trial;
    const details: TrialDetails = {
      phases,
      resultDigest,
      exception: exception && { message: exception.message, traceback: exception.traceback },
      times: [time.startedAt?.text ?? null, time.finishedAt?.text ?? null],
      configured,
      stamp,
    };
    if (this.batch.isFull) this.batch = new TrialBatch();
    const place = this.batch.add(details, time, tokens);
    const own: Own = {
      ...pick(trial, OWN),
      rewardFile: pool.shareRewardFile(trial.rewardFile),
      // Texts and settings from the index are not shared yet.
      taskName: pool.shareText(trial.taskName),
      taskDigest: pool.share(trial.taskDigest),
      rewards: pool.shareRewards(trial.rewards),
    };
    return new CompactTrial(own, this.shareCommon(trial), shareRare(trial), this.batch, place);
  }

  private shareCommon(trial: Trial): Common {
    const common: Common = {
      ...pick(trial, COMMON),
      settings: trial.settings && this.pool.shareSettings(trial.settings),
      environment: this.pool.share(trial.environment),
    };
    const known = this.latest.find((one) => COMMON.every((name) => one[name] === common[name]));
    if (known === undefined) this.latest = [common, ...this.latest.slice(0, MOST_LATEST - 1)];
    return known ?? common;
  }
}

function shareRare(trial: Trial): Rare {
  const rare = { ...pick(trial, RARE), exception: trial.exception && abridge(trial.exception) };
  return RARE.every((name) => rare[name] === NO_RARE[name]) ? NO_RARE : rare;
}

function abridge({ message, traceback, ...rest }: TrialException): NonNullable<Rare["exception"]> {
  return rest;
}
