import type { JobRecord, RecordedGroup } from "@/lib/core/domain/job";
import type { Trial } from "@/lib/core/domain/trial";
import type { Figure, FigureKind } from "@/lib/core/domain/verification";
import { type EvalsStats, parsePythonFloat, PythonError } from "@/lib/core/scoring";

import { countTrials } from "./completeness";
import { buildFigure } from "./figure";

interface NameList {
  readonly kind: FigureKind;
  readonly path: string;
  readonly names: readonly string[];
}

interface StatsContext {
  readonly job: JobRecord;
  readonly key: string;
  readonly recorded: RecordedGroup;
  readonly stats: EvalsStats | null;
  readonly finishedByName: ReadonlyMap<string, Trial>;
  readonly incomplete: string | null;
  readonly isExpected: boolean;
}

/**
 * Returns one figure per value of `reward_stats` and type of `exception_stats`, compared as sets of names; the figures' values are
 * their sizes.
 */
export function verifyNameLists(context: StatsContext): Figure[] {
  const { recorded, stats, isExpected } = context;
  const rewards =
    recorded.rewardStats === null && !isExpected ? [] : pairLists(listRewards(recorded), listRewards(stats));
  const exceptions =
    recorded.exceptionStats === null && !isExpected
      ? []
      : pairLists(listExceptions(recorded), listExceptions(stats));
  return [...rewards, ...exceptions].map(([stated, found]) => judgeList(context, stated, found));
}

function listRewards(stats: Pick<EvalsStats, "rewardStats"> | RecordedGroup | null): Map<string, NameList> {
  const lists = new Map<string, NameList>();
  for (const [key, values] of stats?.rewardStats ?? []) {
    for (const [text, names] of values) {
      lists.set(JSON.stringify([key, normaliseValue(text)]), {
        kind: "reward-stats",
        path: `reward_stats.${key}.${text}`,
        names,
      });
    }
  }
  return lists;
}

function listExceptions(
  stats: Pick<EvalsStats, "exceptionStats"> | RecordedGroup | null,
): Map<string, NameList> {
  const lists = new Map<string, NameList>();
  for (const [type, names] of stats?.exceptionStats ?? []) {
    lists.set(type, { kind: "exception-stats", path: `exception_stats.${type}`, names });
  }
  return lists;
}

function pairLists(
  stated: ReadonlyMap<string, NameList>,
  found: ReadonlyMap<string, NameList>,
): (readonly [NameList | undefined, NameList | undefined])[] {
  const keys = new Set([...stated.keys(), ...found.keys()]);
  return [...keys].map((key) => [stated.get(key), found.get(key)] as const);
}

/** Returns the same text for `1`, `1.0` and `1e0`: JSON writers differ, and Python's dict considers them equal. */
function normaliseValue(text: string): string {
  try {
    const value = parsePythonFloat(text);
    return value === 0 ? "0" : String(value);
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    return text;
  }
}

function judgeList(context: StatsContext, stated: NameList | undefined, found: NameList | undefined): Figure {
  const list = stated ?? found;
  if (list === undefined) throw new Error("A pair has at least one side.");
  const { finishedByName } = context;
  const statedNames = new Set(stated?.names);
  const foundNames = new Set(found?.names);
  const listKeys = (names: Iterable<string>) =>
    [...names].flatMap((name) => finishedByName.get(name)?.key ?? []);
  const unfound = [...statedNames].filter((name) => !foundNames.has(name));
  // If no trial is missing, a name without a trial is not a trace of one.
  const wrong =
    context.incomplete === null
      ? unfound
      : unfound.filter((name) => finishedByName.get(name)?.rewardsProblem === null);
  const extra = [...foundNames].filter((name) => !statedNames.has(name));
  const subject = {
    kind: list.kind,
    path: `stats.evals.${context.key}.${list.path}`,
    group: context.key,
    trialKeys: listKeys(foundNames),
  };
  const values = {
    ...(stated === undefined ? {} : { recorded: BigInt(statedNames.size) }),
    recomputed: BigInt(foundNames.size),
  };
  if (unfound.length + extra.length === 0) return buildFigure(subject, "exact", values, null);
  const { rewardStats, exceptionStats } = context.recorded;
  const isAbsent = (list.kind === "reward-stats" ? rewardStats : exceptionStats) === null;
  const isCutOff = context.job.state !== "finished" && !isAbsent;
  if (wrong.length === 0 && (extra.length === 0 || isCutOff)) {
    return buildFigure(subject, "incomplete", values, context.incomplete ?? explainGone(unfound));
  }
  const trialKeys = listKeys([...wrong, ...extra]);
  return buildFigure({ ...subject, trialKeys }, "mismatch", values, explainWrong(wrong, extra));
}

function explainGone(names: readonly string[]): string {
  return `${countTrials(names.length)} listed have no readable rewards here, such as ${names[0] ?? "unknown"}.`;
}

function explainWrong(wrong: readonly string[], extra: readonly string[]): string {
  const listed =
    wrong[0] === undefined ? null : `lists ${wrong[0]}${andMore(wrong)}, whose result says otherwise`;
  const left = extra[0] === undefined ? null : `leaves out ${extra[0]}${andMore(extra)}`;
  return `result.json ${[listed, left].filter((part) => part !== null).join(", and ")}.`;
}

function andMore(names: readonly string[]): string {
  return names.length > 1 ? ` and ${names.length - 1} more` : "";
}
