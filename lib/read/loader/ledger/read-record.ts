import type { RecordedJudgment } from "@/lib/core/domain/judgment";
import {
  type Contract,
  type EvaluationIssue,
  type EvaluationResult,
  parseAnnotation,
  parseEvaluationResult,
} from "@/lib/core/evaluation";
import { listNames } from "@/lib/core/format/list-names";
import { parseClockTime } from "@/lib/read/schema/clock-time";
import { type LedgerRecordFile, parseLedgerRecord } from "@/lib/read/schema/ledger-record";

import { isObject, type JsonObject, listOr } from "../detail/json-shape";
import type { LoadRoot } from "../discover/load-root";
import { FolderReader } from "../folder-reader";

export interface LedgerEvaluation {
  /** A record without an evaluation has no verifier result, which is not a reward of 0. */
  readonly isStated: boolean;
  /** Null if absent, or if the contract refuses its reward or validity. */
  readonly result: EvaluationResult | null;
  readonly issues: readonly EvaluationIssue[];
  readonly stated: JsonObject | null;
}

/** Parts independent of the reward: a broken one loses only itself. */
const OTHER_PARTS: ReadonlySet<string | number | undefined> = new Set([
  "breakdown",
  "error_taxonomy",
  "confidence",
  "annotations",
  "stewardship",
]);

/** Parses a record's evaluation. Never throws; never clamps, rounds or fills in values. */
function parseLedgerEvaluation(value: unknown, contract: Contract): LedgerEvaluation {
  if (value === undefined || value === null)
    return { isStated: false, result: null, issues: [], stated: null };
  if (!isObject(value)) {
    const issue = { path: [], code: "model_type", message: "Input should be an object" };
    return { isStated: true, result: null, issues: [issue], stated: null };
  }
  const whole = parseEvaluationResult(value, { contract });
  if (whole.ok) return { isStated: true, result: whole.value, issues: [], stated: value };
  const { issues } = whole;
  const broken = new Set(issues.map(({ path }) => path[0]));
  const isBeside = issues.every(
    ({ path, code }) => OTHER_PARTS.has(path[0]) || (code === "extra_forbidden" && path.length === 1),
  );
  if (!isBeside) return { isStated: true, result: null, issues, stated: value };
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !broken.has(key)));
  const partial = parseEvaluationResult(rest, { contract });
  return partial.ok
    ? { isStated: true, result: partial.value, issues, stated: value }
    : { isStated: true, result: null, issues: [...partial.issues, ...issues], stated: value };
}

export function describeRefusal({ isStated, result, issues }: LedgerEvaluation): string | null {
  return isStated && result === null ? describeIssues(issues) : null;
}

function describeIssues(issues: readonly EvaluationIssue[]): string {
  return listNames(
    issues.map(({ path, message }) => `${["evaluation", ...path].join(".")}: ${message}`),
    "; ",
  );
}

/** Parses annotations separately, so that a broken one hides no other. */
export function listAnnotations(file: string, { stated }: LedgerEvaluation): readonly RecordedJudgment[] {
  return listOr(stated?.["annotations"]).flatMap((entry): RecordedJudgment[] => {
    const parsed = isObject(entry) ? parseAnnotation(entry) : null;
    if (!parsed?.ok) return [];
    const { reviewer_id, reviewer_discipline, timestamp, judgment, categories, notes } = parsed.value;
    return [
      {
        kind: "evaluation",
        file,
        reviewerId: reviewer_id,
        discipline: reviewer_discipline,
        judgment,
        categories,
        notes,
        time: parseClockTime(timestamp),
        calibrationVersion: null,
        status: null,
      },
    ];
  });
}

export interface LedgerRecord {
  readonly file: string;
  readonly facts: LedgerRecordFile;
  readonly evaluation: LedgerEvaluation;
  readonly bytes: Buffer;
}

export type LedgerRecordReading = ReturnType<typeof readLedgerRecord>;

export function readLedgerRecord(root: LoadRoot, file: string) {
  const reader = new FolderReader(root, file);
  const read = reader.readLooseBytes("");
  const value = read?.value;
  const reading = { isThere: reader.probes.stamp !== "", issues: reader.issues, reader };
  const facts = read === null ? null : reader.take("", parseLedgerRecord(value));
  if (read === null || facts === null) return { record: null, ...reading };
  const stated = isObject(value) ? value["evaluation"] : null;
  const evaluation = parseLedgerEvaluation(stated, facts.version === 2 ? "head" : "seed");
  const { result, issues } = evaluation;
  if (issues.length > 0)
    reader.report(result === null ? "rewards_invalid" : "field_invalid", "", describeIssues(issues));
  return { record: { file, facts, evaluation, bytes: read.bytes }, ...reading };
}
