import { hash } from "node:crypto";

import type { TrialIdentity } from "@/lib/core/domain/annotation";
import { compareText } from "@/lib/core/domain/compare-text";

import type { ExportContent } from "../export-jsonl";
import { formatDecisionLine, formatJudgmentLine } from "./lines";

const TRIAGE_FILE = "triage.jsonl";
const QUEUES_FILE = "queues.jsonl";
const UNREADABLE_FILE = "unreadable-rows.jsonl";

/**
 * Returns files for git. Only one person changes a person's file. Lines are ordered by trial, then version, so that work on
 * different trials in two places merges and only work on the same trial conflicts. Ordering by time would put all new lines at the
 * end, where any two conflict. `content` needs the history, because an omitted version looks like one that never existed.
 */
export function prepareReviewerFiles(content: ExportContent) {
  const judgments = content.judgments
    .toSorted((a, b) => compareTrials(a.annotation.subject, b.annotation.subject))
    .map((row) => ({ key: row.reviewerKey, line: formatJudgmentLine(row) }));
  const decisions = content.decisions
    .toSorted((a, b) => compareTrials(a.decision.body.trial, b.decision.body.trial))
    .map((row) => ({ key: row.deciderKey, line: formatDecisionLine(row) }));
  const byReviewer = Map.groupBy([...judgments, ...decisions], ({ key }) => key);
  const files = Array.from(byReviewer, ([key, own]) => {
    return { name: nameReviewerFile(key), text: own.map(({ line }) => line).join("") };
  });
  if (content.triage.length > 0)
    files.push({ name: TRIAGE_FILE, text: content.triage.toSorted(compareText).join("") });
  if (content.queues.length > 0) files.push({ name: QUEUES_FILE, text: content.queues.join("") });
  if (content.unreadable.length > 0) files.push({ name: UNREADABLE_FILE, text: content.unreadable.join("") });
  return files.toSorted((a, b) => compareText(a.name, b.name));
}

/** Relies on stable sorting: versions of a trial stay in stored order. */
function compareTrials(a: TrialIdentity, b: TrialIdentity): number {
  return (
    compareText(a.trialName, b.trialName) ||
    compareText(a.jobUuid ?? a.jobName, b.jobUuid ?? b.jobName) ||
    compareText(a.trialId ?? "", b.trialId ?? "")
  );
}

const MOST_OF_NAME = 40;

/** Appends a hash, because different names may have the same portable part: "ana souza" is `ana-souza-61d4b6c1f0.jsonl`. */
function nameReviewerFile(reviewerKey: string): string {
  const plain = reviewerKey
    .normalize("NFKD")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MOST_OF_NAME)
    .replaceAll(/^-|-$/g, "");
  const digest = hash("sha256", reviewerKey).slice(0, 10);
  return `${plain === "" ? "reviewer" : plain}-${digest}.jsonl`;
}
