import type { CalibrationOnFile, ReviewerOnFile } from "@/lib/core/domain/judgment";
import { parseCalibration, parseReviewer } from "@/lib/read/schema/ledger-feedback";

import { folderName, joinFolder, type LoadRoot } from "../discover/load-root";
import { FolderReader } from "../folder-reader";
import { findFeedback, listJsonFiles, listOwnFolder } from "./find-feedback";
import { type JudgedTrial, JudgmentFiles } from "./read-judgments";

export function readReviewers(
  reader: FolderReader,
  ledgerFolder: string,
  ids: ReadonlySet<string>,
): ReviewerOnFile[] {
  const feedback = findFeedback(reader.root, ledgerFolder);
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

export type TrialJudgmentsReading = ReturnType<typeof readTrialJudgments>;

export function readTrialJudgments(root: LoadRoot, ledgerFolder: string, trial: JudgedTrial) {
  const reader = new FolderReader(root, "");
  const judgments = new JudgmentFiles(reader, ledgerFolder).read(trial);
  const ids = new Set(judgments.flatMap(({ reviewerId }) => reviewerId ?? []));
  return { judgments, reviewers: readReviewers(reader, ledgerFolder, ids), issues: reader.issues };
}
