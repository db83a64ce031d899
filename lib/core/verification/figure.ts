import type { Trial } from "@/lib/core/domain/trial";
import {
  type CheckVerdict,
  type Figure,
  type FigureKind,
  type HarborRule,
  NO_COUNTS,
  type Verdict,
  type VerdictCounts,
  VERDICTS,
  type VerificationReport,
} from "@/lib/core/domain/verification";
import { listNames } from "@/lib/core/format/list-names";
import type { PyNumber, PyValue } from "@/lib/core/scoring";

import { compareNumbers, formatPython } from "./compare-numbers";

export interface FigureSubject {
  readonly kind: FigureKind;
  readonly path: string;
  readonly group: string | null;
  readonly trialKeys: readonly string[];
}

export function makeSubject(
  kind: FigureKind,
  path: string,
  group: string | null,
  trials: readonly Pick<Trial, "key">[],
): FigureSubject {
  return { kind, path, group, trialKeys: trials.map(({ key }) => key) };
}

interface FigureEvidence {
  /** Why a difference proves nothing, or null when all operands are here. */
  readonly incomplete: string | null;
  readonly mismatchReason: string;
  /** `mismatchReason` if absent. */
  readonly ulpReason?: string;
  /** A rule of Harbor that gives another number than the trials alone. */
  readonly explanation?: Explanation | null;
}

export interface Explanation {
  readonly rule: HarborRule;
  readonly value: PyNumber;
  readonly reason: string;
  readonly trialKeys?: readonly string[];
}

export function buildFigure(
  subject: FigureSubject,
  verdict: Verdict,
  values: { readonly recorded?: PyValue | undefined; readonly recomputed?: PyValue | undefined },
  reason: string | null,
  ulps: number | null = null,
): Figure {
  const { kind, path, group, trialKeys } = subject;
  // Listed by name: there is one for every trial of a job, and a spread copy takes twice the memory.
  return {
    kind,
    path,
    group,
    trialKeys,
    recorded: formatPython(values.recorded),
    recomputed: formatPython(values.recomputed),
    verdict,
    ulps,
    reason,
    rule: null,
  };
}

/**
 * Compares one recorded number with the recomputed one; either may be undefined.
 * @returns `explained` when a rule of Harbor gives the recorded number; `incomplete` instead of `mismatch` when operands are
 * missing
 */
export function judgeNumber(
  subject: FigureSubject,
  recorded: PyValue | undefined,
  recomputed: PyNumber | undefined,
  evidence: FigureEvidence,
): Figure {
  if (recorded === undefined)
    return buildFigure(subject, "not-recorded", { recomputed }, "result.json does not record this figure.");
  if (recomputed === undefined) {
    return buildDifferent(subject, { recorded }, evidence);
  }
  const values = { recorded, recomputed };
  if (recorded === null && typeof recomputed === "number" && !Number.isFinite(recomputed)) {
    const reason = "Harbor writes NaN and infinity as null, so the recorded value is lost.";
    return buildFigure(subject, "incomplete", values, reason);
  }
  const { verdict, ulps } = compareNumbers(recorded, recomputed);
  if (verdict === "exact") return buildFigure(subject, "exact", values, null);
  const { explanation, mismatchReason, ulpReason = mismatchReason } = evidence;
  if (verdict === "ulp") return buildFigure(subject, "ulp", values, ulpReason, ulps);
  if (explanation && compareNumbers(recorded, explanation.value).verdict === "exact") {
    const { rule, reason, trialKeys = subject.trialKeys } = explanation;
    return { ...buildFigure({ ...subject, trialKeys }, "explained", values, reason), rule };
  }
  return buildDifferent(subject, values, evidence);
}

/** Returns a difference that no rule explains: `incomplete` when operands are missing, else a mismatch. */
function buildDifferent(
  subject: FigureSubject,
  values: { readonly recorded: PyValue; readonly recomputed?: PyNumber },
  { incomplete, mismatchReason }: FigureEvidence,
): Figure {
  const verdict = incomplete === null ? "mismatch" : "incomplete";
  return buildFigure(subject, verdict, values, incomplete ?? mismatchReason);
}

export function countVerdicts(figures: readonly Pick<Figure, "verdict">[]): VerdictCounts {
  const counts = { ...NO_COUNTS };
  for (const figure of figures) counts[figure.verdict]++;
  return counts;
}

/** Returns the worst verdict; `interim` while the job runs, `not-recorded` when no figure could be compared. */
export function summariseVerdict(
  figures: readonly Pick<Figure, "verdict">[],
  isInterim: boolean,
): CheckVerdict {
  if (isInterim) return "interim";
  const counts = countVerdicts(figures);
  // `not-recorded` is not a judgment and is handled separately.
  return VERDICTS.find((verdict) => verdict !== "not-recorded" && counts[verdict] > 0) ?? "not-recorded";
}

/**
 * Turns mismatches into figures of an unknown rule if the job's Harbor is newer than Assay knows; matching figures stay.
 * @param newer - that Harbor, see `nameNewerHarbor`
 */
export function allowUnknownRules(figures: readonly Figure[], newer: string | null): readonly Figure[] {
  if (newer === null) return figures;
  return figures.map((figure) =>
    figure.verdict === "mismatch"
      ? { ...figure, verdict: "unknown-rule", reason: `Unknown rule (${newer}). ${figure.reason ?? ""}` }
      : figure,
  );
}

/** Figures that single trials contradict, each on its own. */
const SINGLE: ReadonlySet<FigureKind> = new Set(["reward-stats", "exception-stats", "reward-file"]);
const COMPUTED: ReadonlySet<FigureKind> = new Set(["metric", "pass-at-k", "outcome"]);

/** Adds the trials that contradict result.json elsewhere to every mismatch of a figure over them. */
export function nameContradictions(figures: readonly Figure[], trials: readonly Trial[]): Figure[] {
  const mismatches = figures.filter((figure) => figure.verdict === "mismatch");
  const single = mismatches.filter((figure) => SINGLE.has(figure.kind));
  if (single.length === 0 || single.length === mismatches.length) return [...figures];
  const names = new Map(trials.map((trial) => [trial.key, trial.trialName]));
  const byGroup = Map.groupBy(single, ({ group }) => group);
  return figures.map((figure) => {
    if (figure.verdict !== "mismatch" || !COMPUTED.has(figure.kind)) return figure;
    const contradicting = figure.group === null ? single : (byGroup.get(figure.group) ?? []);
    const keys = new Set(contradicting.flatMap(({ trialKeys }) => trialKeys));
    if (keys.size === 0) return figure;
    const differing = listNames([...keys].map((key) => names.get(key) ?? key));
    const reason = `${figure.reason ?? ""} Single trials that differ: ${differing}.`;
    return { ...figure, reason, trialKeys: [...keys] };
  });
}

/** Gives mismatches that disappear without some trials one common reason, so that they read as one finding. */
export function nameUnnamed(
  figures: readonly Figure[],
  without: Pick<VerificationReport, "figures">,
  unnamed: readonly Trial[],
): Figure[] {
  const left = new Map(without.figures.map((figure) => [figure.path, figure.verdict]));
  const vanishes = ({ path, verdict }: Figure) =>
    verdict === "mismatch" && ["exact", "ulp", "explained"].includes(left.get(path) ?? "exact");
  const n = figures.filter(vanishes).length;
  if (n < 2) return [...figures];
  const names = listNames(unnamed.map(({ trialName }) => trialName));
  const others = unnamed.length === 1 ? "it" : `these ${unnamed.length} trials`;
  const reason = `One reason for ${n} figures: result.json does not count ${names}. Without ${others} they match.`;
  const trialKeys = unnamed.map(({ key }) => key);
  return figures.map((figure) => (vanishes(figure) ? { ...figure, reason, trialKeys } : figure));
}
