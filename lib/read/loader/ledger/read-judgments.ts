import { compareText } from "@/lib/core/domain/compare-text";
import {
  RECORDED_KINDS,
  type RecordedJudgment,
  type CalibrationOnFile,
  type ReviewerOnFile,
} from "@/lib/core/domain/judgment";
import type { Trial } from "@/lib/core/domain/trial";
import { parseFeedbackAnnotation } from "@/lib/core/evaluation";
import { parseClockTime } from "@/lib/read/schema/clock-time";
import {
  parseAdjudication,
  parseTriage,
  parseCalibration,
  parseReviewer,
} from "@/lib/read/schema/ledger-feedback";

import { isObject } from "../detail/json-shape";
import { folderName, isOneName, joinFolder, type LoadRoot } from "../discover/load-root";
import { isFolder } from "../file-stamp";
import { FolderReader } from "../folder-reader";
import { findFeedback, listJsonFiles, TRIAGE_FOLDER, listOwnFolder } from "./ledger-folder";

/** Limit per trial and folder; its page reads them on each request. */
const MOST_FILES = 1_000;

export type JudgedTrial = Pick<Trial, "id" | "jobUuid" | "folder" | "ledger">;

/** Sorted by kind, newest first. */
function readJudgments(
  reader: FolderReader,
  ledgerFolder: string,
  feedback: string | null,
  trial: JudgedTrial,
): readonly RecordedJudgment[] {
  const read = (part: string, convert: typeof toFeedback) =>
    feedback === null
      ? []
      : listJudgments(reader, joinFolder(feedback, part), trial, (file, value) =>
          convert(reader, file, value, trial),
        );
  const judgments = [
    ...(trial.ledger?.annotations ?? []),
    ...readTriage(reader, joinFolder(ledgerFolder, TRIAGE_FOLDER), trial),
    ...read("annotations", toFeedback),
    ...read("adjudications", toAdjudication),
  ];
  return judgments.toSorted(
    (a, b) =>
      RECORDED_KINDS.indexOf(a.kind) - RECORDED_KINDS.indexOf(b.kind) ||
      (b.time?.epochMs ?? -Infinity) - (a.time?.epochMs ?? -Infinity) ||
      compareText(a.file, b.file),
  );
}

function listJudgments(
  reader: FolderReader,
  folder: string,
  { id }: JudgedTrial,
  convert: (file: string, value: unknown) => RecordedJudgment | null,
): RecordedJudgment[] {
  if (id === null || !isOneName(id) || !isFolder(reader.root, folder)) return [];
  const own = joinFolder(folder, id);
  const files = listJsonFiles(reader, own);
  if (files.length > MOST_FILES) {
    const detail = `It has ${files.length.toLocaleString("en")} files of judgments; the first ${MOST_FILES.toLocaleString("en")} are read.`;
    reader.report("too_many_values", own, detail);
  }
  return files.slice(0, MOST_FILES).flatMap((file) => {
    const value = reader.readLoose(file);
    return value === undefined ? [] : (convert(file, value) ?? []);
  });
}

function readTriage(
  reader: FolderReader,
  triageFolder: string,
  { id, folder }: JudgedTrial,
): RecordedJudgment[] {
  const name = id ?? folderName(reader.root, folder).replace(/\.json$/, "");
  if (!isOneName(name) || !isFolder(reader.root, triageFolder)) return [];
  const file = joinFolder(triageFolder, `${name}.json`);
  const triage = reader.readLooseFields(file, parseTriage);
  if (triage === null) return [];
  const judgment = triage.verdict === "note" ? null : triage.verdict;
  const time = parseClockTime(triage.timestamp);
  return [{ ...NOBODY, kind: "triage", file, judgment, notes: triage.notes ?? null, time }];
}

function toFeedback(
  reader: FolderReader,
  file: string,
  value: unknown,
  trial: JudgedTrial,
): RecordedJudgment | null {
  const parsed = isObject(value) ? parseFeedbackAnnotation(value) : null;
  if (!parsed?.ok) {
    const [first] = parsed?.issues ?? [];
    const detail =
      first === undefined
        ? "An annotation was expected, which is a JSON object."
        : `${[...first.path, ""].join(".").slice(0, -1) || "annotation"}: ${first.message}; it is not shown.`;
    reader.report("field_invalid", file, detail);
    return null;
  }
  const annotation = parsed.value;
  if (!belongs(reader, file, annotation.trial_id, annotation.experiment_id, trial)) return null;
  return {
    ...NOBODY,
    kind: "feedback",
    file,
    reviewerId: annotation.reviewer_id,
    discipline: annotation.reviewer_discipline,
    judgment: annotation.judgment,
    categories: annotation.categories,
    notes: annotation.notes,
    time: parseClockTime(annotation.created_at),
    calibrationVersion: annotation.calibration_version,
  };
}

function toAdjudication(
  reader: FolderReader,
  file: string,
  value: unknown,
  trial: JudgedTrial,
): RecordedJudgment | null {
  const decision = reader.take(file, parseAdjudication(value));
  if (decision === null) return null;
  if (!belongs(reader, file, decision.trial_id, decision.experiment_id ?? null, trial)) return null;
  return {
    ...NOBODY,
    kind: "adjudication",
    file,
    reviewerId: decision.decided_by ?? null,
    judgment: decision.final_judgment ?? null,
    categories: decision.categories ?? [],
    notes: decision.rationale ?? null,
    time: parseClockTime(decision.created_at),
    status: decision.status,
  };
}

/** Rejects files about another trial, including another experiment's trial with the same id. */
function belongs(
  reader: FolderReader,
  file: string,
  trialId: string,
  experimentId: string | null,
  { id, jobUuid }: JudgedTrial,
): boolean {
  if (trialId !== id) {
    const detail = `trial_id: it is about ${trialId} but is filed under ${id ?? "no trial"}; it is not shown.`;
    reader.report("field_invalid", file, detail);
    return false;
  }
  return experimentId === null || jobUuid === null || experimentId === jobUuid;
}

const NOBODY = {
  reviewerId: null,
  discipline: null,
  categories: [],
  calibrationVersion: null,
  status: null,
} as const;

function readReviewers(
  reader: FolderReader,
  feedback: string | null,
  ids: ReadonlySet<string>,
): ReviewerOnFile[] {
  if (feedback === null || ids.size === 0) return [];
  const profiles = new Set(listJsonFiles(reader, joinFolder(feedback, "reviewers")));
  const calibrations = joinFolder(feedback, "calibrations");
  const calibrated = new Set(listOwnFolder(reader, calibrations)?.folders);
  return [...ids].flatMap((id): ReviewerOnFile[] => {
    const file = joinFolder(feedback, `reviewers/${id}.json`);
    const profile = profiles.has(file) ? reader.readLooseFields(file, parseReviewer) : null;
    // Use only listed names, since an id may be a path.
    const own = calibrated.has(id) ? readCalibrations(reader, joinFolder(calibrations, id)) : [];
    if (profile === null && own.length === 0) return [];
    return [
      {
        reviewerId: id,
        file: profile === null ? null : file,
        calibrationStatus: profile?.calibration_status ?? null,
        calibrationVersion: profile?.calibration_version ?? null,
        calibrations: own,
      },
    ];
  });
}

function readCalibrations(reader: FolderReader, folder: string): CalibrationOnFile[] {
  return listJsonFiles(reader, folder).flatMap((file) => {
    const value = reader.readLooseFields(file, parseCalibration);
    if (value === null) return [];
    return {
      file,
      version: value.calibration_version ?? folderName(reader.root, file).replace(/\.json$/, ""),
      nCases: value.total_cases ?? null,
      agreementRate: value.agreement_rate ?? null,
    };
  });
}

/** Returns the judgments of each trial in files, and the profiles of their reviewers. */
export function readAllJudgments(root: LoadRoot, ledgerFolder: string, trials: readonly JudgedTrial[]) {
  const reader = new FolderReader(root, "");
  const feedback = findFeedback(root, ledgerFolder);
  const judgments = trials.map((trial) => readJudgments(reader, ledgerFolder, feedback, trial));
  const ids = new Set(judgments.flat().flatMap(({ reviewerId }) => reviewerId ?? []));
  return { judgments, reviewers: readReviewers(reader, feedback, ids), issues: reader.issues };
}

export function readTrialJudgments(root: LoadRoot, ledgerFolder: string, trial: JudgedTrial) {
  const { judgments, ...read } = readAllJudgments(root, ledgerFolder, [trial]);
  return { ...read, judgments: judgments[0] ?? [] };
}
