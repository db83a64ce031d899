import type { JobRecord, RecordedGroup } from "@/lib/core/domain/job";
import type { Trial } from "@/lib/core/domain/trial";
import type { PyNumber, PyValue, Summation } from "@/lib/core/scoring";

import { compareNumbers, MAX_ULPS } from "./compare-numbers";
import { computeGroupNumbers, type GroupNumbers } from "./group-numbers";
import { iterateOrders, type OrderedTrials } from "./order";

export interface NumberPair {
  readonly path: string;
  readonly recorded: PyValue | undefined;
  readonly recomputed: PyNumber | undefined;
}

/** The order of operands that reproduces a group's recorded numbers best. */
export interface ChosenOrder extends OrderedTrials {
  readonly numbers: GroupNumbers;
  /** Paths that only the other summation reproduces to the last bit. */
  readonly exactOtherwise: ReadonlySet<string>;
}

export function pairNumbers(recorded: RecordedGroup | null, numbers: GroupNumbers): NumberPair[] {
  const metrics = numbers.metrics.flatMap((metric, index) => {
    const entry = recorded?.metrics[index];
    const stated = entry instanceof Map ? entry : new Map<string, PyValue>();
    const keys = new Set([...stated.keys(), ...(metric.value?.keys() ?? [])]);
    return [...keys].map((key) => ({
      path: `metrics[${index}].${key}`,
      recorded: stated.get(key),
      recomputed: metric.value?.get(key),
    }));
  });
  const ks = new Set([...(recorded?.passAtK?.keys() ?? []), ...[...numbers.passAtK.keys()].map(String)]);
  const passAtK = [...ks].map((k) => ({
    path: `pass_at_k.${k}`,
    recorded: recorded?.passAtK?.get(k),
    recomputed: numbers.passAtK.get(Number(k)),
  }));
  return [...metrics, ...passAtK];
}

/** Returns the first order of operands that reproduces every recorded number, else the closest one. */
export function chooseOrder(
  job: JobRecord,
  members: readonly Trial[],
  recorded: RecordedGroup | null,
  types: readonly string[],
  summation: Summation,
): ChosenOrder {
  let best: (ChosenOrder & { readonly distance: number }) | null = null;
  for (const { order, trials } of iterateOrders(job, members, recorded)) {
    const numbers = computeGroupNumbers(job.scoringRule, types, trials, summation);
    const distance = measureDistance(pairNumbers(recorded, numbers));
    if (best === null || distance < best.distance) {
      best = { order, trials, numbers, exactOtherwise: new Set(), distance };
    }
    if (distance === 0) return best;
  }
  if (best === null) throw new Error("There is always at least the directory order.");
  const open = pairNumbers(recorded, best.numbers).filter((pair) => !isExact(pair));
  const other = summation === "sequential" ? "cpython-3.12" : "sequential";
  return { ...best, exactOtherwise: findExact(job, members, recorded, types, other, open) };
}

/** 0 when all are exact. A wrong number outweighs any distance in the last places. */
function measureDistance(pairs: readonly NumberPair[]): number {
  let distance = 0;
  for (const { recorded, recomputed } of pairs) {
    if (recorded === undefined || recomputed === undefined) continue;
    const { verdict, ulps } = compareNumbers(recorded, recomputed);
    if (verdict !== "exact") distance += 1 + (ulps ?? MAX_ULPS * 2) / (MAX_ULPS * 4);
  }
  return distance;
}

function isExact({ recorded, recomputed }: NumberPair): boolean {
  if (recorded === undefined || recomputed === undefined) return true;
  return compareNumbers(recorded, recomputed).verdict === "exact";
}

function findExact(
  job: JobRecord,
  members: readonly Trial[],
  recorded: RecordedGroup | null,
  types: readonly string[],
  summation: Summation,
  open: readonly NumberPair[],
): Set<string> {
  const paths = new Set(open.map((pair) => pair.path));
  const found = new Set<string>();
  for (const { trials } of iterateOrders(job, members, recorded)) {
    if (found.size === paths.size) break;
    for (const pair of pairNumbers(
      recorded,
      computeGroupNumbers(job.scoringRule, types, trials, summation),
    )) {
      if (paths.has(pair.path) && isExact(pair)) found.add(pair.path);
    }
  }
  return found;
}
