import "server-only";
import type { JudgmentFilter } from "@/lib/core/domain/job-filter";
import type { TrialKeys } from "@/lib/store/tables";

import { countReviews, type JudgedOfJob, type ReviewCounts } from "../annotations/judged";

interface KeySelection {
  readonly only: ReadonlySet<string> | null;
  readonly except: ReadonlySet<string>;
}

export function countByTask(judged: JudgedOfJob): ReadonlyMap<string, ReviewCounts> {
  const byTask = Map.groupBy(judged.values(), ({ taskName }) => taskName);
  return new Map([...byTask].map(([task, attempts]) => [task, countReviews(attempts)]));
}

/** Selects trials whose judgments match any chosen filter. Selects none if the judgments cannot be read. */
export function selectJudged(
  judged: ReadonlyMap<number, JudgedOfJob> | null,
  wanted: readonly JudgmentFilter[],
): { readonly only: TrialKeys | null; readonly except: TrialKeys } {
  const parts = Array.from(judged ?? [], ([jobRowId, own]) => {
    const { only, except } = select(own, wanted, ({ judgments: { judgment, disagrees } }, filter) => {
      if (filter === "any") return true;
      return filter === "disagrees" ? disagrees : judgment === filter;
    });
    return { jobRowId, only, except };
  });
  const isAny = wanted.length === 0 || (judged !== null && wanted.includes("none"));
  return {
    only: isAny ? null : new Map(parts.map(({ jobRowId, only }) => [jobRowId, only ?? new Set()])),
    except: new Map(parts.flatMap(({ jobRowId, except }) => (except.size > 0 ? [[jobRowId, except]] : []))),
  };
}

/** Selects tasks. `none` matches tasks without a judged attempt, any other value tasks with one. */
export function selectJudgedTasks(
  judged: JudgedOfJob | null,
  wanted: readonly JudgmentFilter[],
): KeySelection {
  return select(judged && countByTask(judged), wanted, ({ nDisagreeing }, filter) =>
    filter === "disagrees" ? nDisagreeing > 0 : true,
  );
}

function select<Value>(
  judged: ReadonlyMap<string, Value> | null,
  wanted: readonly JudgmentFilter[],
  fits: (value: Value, filter: JudgmentFilter) => boolean,
): KeySelection {
  if (wanted.length === 0) return { only: null, except: new Set() };
  if (judged === null) return { only: new Set(), except: new Set() };
  const filters = wanted.filter((filter) => filter !== "none");
  const isFit = (value: Value) => filters.some((filter) => fits(value, filter));
  const keysOf = (keep: (value: Value) => boolean) =>
    new Set([...judged].flatMap(([key, value]) => (keep(value) ? [key] : [])));
  return wanted.includes("none")
    ? { only: null, except: keysOf((value) => !isFit(value)) }
    : { only: keysOf(isFit), except: new Set() };
}
