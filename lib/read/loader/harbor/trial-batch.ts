import type { ClockInterval, Moment } from "@/lib/core/domain/clock-time";
import type { TokenUsage, TrialException, Trial } from "@/lib/core/domain/trial";
import type { ConfiguredNames } from "@/lib/read/schema/stored-source";

import { DeflatedValues } from "../deflated-values";

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
