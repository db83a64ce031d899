import type { LoadIssue } from "@/lib/domain/load-issue";
import type { CalibrationOnFile, ReviewerOnFile } from "@/lib/domain/judgment";
import { parseCalibration, parseReviewer, type ReviewerFile } from "@/lib/schema/ledger-feedback";

import { folderName, joinFolder, type LoadRoot } from "../discover/load-root";
import { findFeedback, listJsonFiles, listOwnFolder } from "./find-feedback";
import { readJson, reportFields } from "./read-json";

/** What the feedback folder of an experiment says of some reviewers, in the order of `ids`; those it does not know are left out. */
export function readReviewers(
  root: LoadRoot,
  ledgerFolder: string,
  ids: ReadonlySet<string>,
): { readonly reviewers: readonly ReviewerOnFile[]; readonly issues: readonly LoadIssue[] } {
  const issues: LoadIssue[] = [];
  const feedback = findFeedback(root, ledgerFolder);
  if (feedback === null || ids.size === 0) return { reviewers: [], issues };
  const profiles = new Set(listJsonFiles(root, joinFolder(feedback, "reviewers"), issues));
  const calibrations = joinFolder(feedback, "calibrations");
  const calibrated = new Set(listOwnFolder(root, calibrations, issues)?.folders);
  const reviewers = [...ids].flatMap((id): ReviewerOnFile[] => {
    const file = joinFolder(feedback, `reviewers/${id}.json`);
    const profile = profiles.has(file) ? readProfile(root, file, issues) : null;
    // Only a name that the listing gave: an id may be a path.
    const own = calibrated.has(id) ? readCalibrations(root, joinFolder(calibrations, id), issues) : [];
    if (profile === null && own.length === 0) return [];
    return [
      {
        reviewerId: id,
        file: profile === null ? null : file,
        discipline: profile?.discipline ?? null,
        calibrationStatus: profile?.calibration_status ?? null,
        calibrationVersion: profile?.calibration_version ?? null,
        calibrations: own,
      },
    ];
  });
  return { reviewers, issues };
}

function readProfile(root: LoadRoot, file: string, issues: LoadIssue[]): ReviewerFile | null {
  const reading = readJson(root, file);
  if (reading.kind === "refused") issues.push(reading.issue);
  if (reading.kind !== "read") return null;
  const { value, problems } = parseReviewer(reading.value);
  reportFields(root, file, problems, issues);
  return value;
}

function readCalibrations(root: LoadRoot, folder: string, issues: LoadIssue[]): CalibrationOnFile[] {
  return listJsonFiles(root, folder, issues).flatMap((file) => {
    const reading = readJson(root, file);
    if (reading.kind === "refused") issues.push(reading.issue);
    if (reading.kind !== "read") return [];
    const { value, problems } = parseCalibration(reading.value);
    reportFields(root, file, problems, issues);
    if (value === null) return [];
    return {
      file,
      version: value.calibration_version ?? folderName(root, file).replace(/\.json$/, ""),
      nCases: value.total_cases ?? null,
      agreementRate: value.agreement_rate ?? null,
      passed: value.passed ?? null,
    };
  });
}
