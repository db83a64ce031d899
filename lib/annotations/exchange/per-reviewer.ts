import { createHash } from "node:crypto";

import type { AnnotationSubject } from "@/lib/domain/annotation";
import { compareText } from "@/lib/domain/compare-text";

import type { ExportContent } from "../export-jsonl";
import { formatLine, prepareDecisionLine, prepareJudgmentLine } from "./lines";

export interface ReviewerFile {
  readonly name: string;
  readonly text: string;
}

/** Hold what is said of failures, by whoever, and what cannot be read, which is nobody's. */
const TRIAGE_FILE = "triage.jsonl";
const QUEUES_FILE = "queues.jsonl";
const UNREADABLE_FILE = "unreadable-rows.jsonl";

/**
 * Returns one file a person, with every version of theirs and behind those the decisions that they made, and one for names,
 * dismissals, answers and tags, in the order of their texts, and one for queues.
 *
 * Such files are for git. A person's file changes only with what that person does, so two people never change the same one. Lines
 * are ordered by trial, then by version: what the same person does in two places to different trials lies apart, as a new line
 * at its trial's place and at most a changed state on the line before, and git puts both together. Both to the same trial is
 * what git asks about, and rightly. An order by time would put every new line at the end, where any two of them conflict.
 *
 * @param content - with history, since a version that is left out cannot be told from one that never was
 */
export function prepareReviewerFiles(content: ExportContent): readonly ReviewerFile[] {
  const judgments = content.judgments
    .map((row) => ({ key: row.reviewerKey, row }))
    .toSorted((a, b) => compareTrials(a.row.annotation.subject, b.row.annotation.subject));
  const decisions = content.decisions
    .map((row) => ({ key: row.deciderKey, row }))
    .toSorted((a, b) => compareTrials(a.row.decision.subject, b.row.decision.subject));
  const texts = new Map<string, string>();
  const add = (key: string, line: string) => texts.set(key, (texts.get(key) ?? "") + line);
  for (const { key, row } of judgments) add(key, formatLine(prepareJudgmentLine(row)));
  for (const { key, row } of decisions) add(key, formatLine(prepareDecisionLine(row)));
  const files = [...texts].map(([key, text]) => ({ name: nameReviewerFile(key), text }));
  if (content.triage.length > 0)
    files.push({ name: TRIAGE_FILE, text: content.triage.toSorted(compareText).join("") });
  if (content.queues.length > 0) files.push({ name: QUEUES_FILE, text: content.queues.join("") });
  if (content.unreadable.length > 0) files.push({ name: UNREADABLE_FILE, text: content.unreadable.join("") });
  return files.toSorted((a, b) => compareText(a.name, b.name));
}

/** Stable sorting keeps versions of a trial in the order in which they were stored, which is that of their numbers. */
function compareTrials(a: AnnotationSubject, b: AnnotationSubject): number {
  return (
    compareText(a.trialName, b.trialName) ||
    compareText(a.jobUuid ?? a.jobName, b.jobUuid ?? b.jobName) ||
    compareText(a.trialId ?? "", b.trialId ?? "")
  );
}

/** Letters and digits of the name that a file keeps. */
const MOST_OF_NAME = 40;

/**
 * Name of a reviewer's file: what of the name any file system takes, and a hash that tells names apart which share it.
 *
 * @example nameReviewerFile("ana souza") // "ana-souza-61d4b6c1f0.jsonl"
 */
function nameReviewerFile(reviewerKey: string): string {
  const plain = reviewerKey
    .normalize("NFKD")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MOST_OF_NAME)
    .replaceAll(/^-|-$/g, "");
  const hash = createHash("sha256").update(reviewerKey).digest("hex").slice(0, 10);
  return `${plain === "" ? "reviewer" : plain}-${hash}.jsonl`;
}
