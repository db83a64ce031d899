import type { TrialRecord } from "@/lib/domain/trial";

type Counted = Pick<TrialRecord, "taskName" | "groupKey" | "ledger">;

/**
 * Numbers the attempts of each task and evals group: as they are stated where every trial of the task and group states
 * another number, else in the order of the trials.
 */
export class AttemptCounter {
  private readonly stated: ReadonlySet<string>;
  private readonly counts = new Map<string, number>();

  constructor(trials: readonly Counted[]) {
    this.stated = findStated(trials);
  }

  /** The number of a trial, to be asked once for each in their order. */
  take(trial: Counted): number {
    const place = nameAttempts(trial);
    const attempt = (this.counts.get(place) ?? 0) + 1;
    this.counts.set(place, attempt);
    return this.stated.has(place) ? (trial.ledger?.attempt ?? attempt) : attempt;
  }
}

function nameAttempts(trial: Counted): string {
  return `${trial.groupKey}\0${trial.taskName}`;
}

/** Tasks and groups whose trials state a number each, and no number twice. */
function findStated(trials: readonly Counted[]): ReadonlySet<string> {
  // Only ledgers state attempts, so nothing is gathered for the many trials that do not.
  const withNumbers = trials.filter(({ ledger }) => ledger !== null);
  const places = Map.groupBy(withNumbers, nameAttempts);
  return new Set(
    [...places].flatMap(([place, group]) => {
      const numbers = new Set(group.flatMap(({ ledger }) => ledger?.attempt ?? []));
      return numbers.size === group.length ? place : [];
    }),
  );
}
