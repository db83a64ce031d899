import "server-only";
import type { Annotation, QueuePlace } from "@/lib/core/domain/annotation";
import { compareNames } from "@/lib/core/domain/compare-text";
import type { Judgment } from "@/lib/core/domain/judgment";
import { fitPage } from "@/lib/core/domain/page-bytes";
import { type BlindPart, type EvidenceAnchor, isSameAnchor } from "@/lib/core/domain/review";
import { formatCount } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";
import type { OpenTrial } from "@/lib/pages/trial/address";
import {
  type Actor,
  type AnnotationStore,
  type CodebookHistory,
  type Decision,
  mayWithdraw,
  type Queue,
  resolveLabel,
} from "@/lib/people/annotations";
import type { ScopeTrial } from "@/lib/people/labels/scope-trials";

import { describeCategories, type OfferedCategory, readOffers } from "../annotations/offers";
import { openAt } from "../annotations/review";
import { isFileShown } from "../trial/blind";

/** Plain data for the browser. It must contain nothing that its page hides. */
export type OpenConflict = Awaited<ReturnType<typeof openConflict>>;
export type ConflictReview = OpenConflict["reviews"][number];
export type SharedAnchor = OpenConflict["anchors"][number];

interface ConflictReader {
  readonly place: number;
  readonly queue: Queue | null;
  readonly history: CodebookHistory;
  readonly annotations: AnnotationStore;
  readonly actor: Actor;
  readonly reviewerKey: string;
  readonly identityOf: (agent: string, model: string | null) => number;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** For all reviewers together. A note of maximum length still fits next to another. */
const NOTE_BYTES = 300_000;
const MOST_ANCHORS = 200;

/** Before a decision, leaves out everything that the queue or any judgment hides. @throws StoreError */
export async function openConflict(trial: ScopeTrial, reader: ConflictReader) {
  const { queue, history, annotations, actor, reviewerKey } = reader;
  const { subject, labels, place: found, decision } = trial;
  const hidden = trial.state === "conflict" ? listHidden(trial, queue) : [];
  const item = findItem(trial, queue);
  const isShown = (anchor: EvidenceAnchor) => isPlaceShown(anchor, hidden);
  const shown = labels.slice(0, LETTERS.length);
  const reviews = shown.map((label, index) => {
    const { evidence, ...annotation } = label.annotation;
    const letter = LETTERS.charAt(index);
    return {
      ...pickReview(annotation, NOTE_BYTES / shown.length),
      letter,
      reviewerKey: label.reviewerKey,
      isStale: label.isStale,
      categories: listToday(label.annotation, history),
      anchors: evidence.filter(isShown),
    };
  });
  const ids = labels.map(({ annotation }) => annotation.versionId);
  return {
    place: reader.place,
    taskName: formatTask(subject),
    attempt: found?.attempt ?? null,
    at: linkTrial(trial, item, hidden),
    context: readContext(trial, hidden, reader.identityOf),
    reviews,
    nMoreReviews: labels.length - shown.length,
    anchors: mergeAnchors(reviews).slice(0, MOST_ANCHORS),
    // In verifier output, until a decision is saved.
    nHiddenAnchors: labels.flatMap(({ annotation }) => annotation.evidence).filter((one) => !isShown(one))
      .length,
    // They identify the trial to the server.
    sources: ids,
    decision: decision === null ? null : nameToday(decision, history),
    isChangedSince: decision !== null && decision.sources.toSorted().join() !== ids.toSorted().join(),
    mayUndo: decision !== null && (await mayWithdraw(annotations, decision.decisionId, actor)),
    // Then another user must decide.
    isOwn: labels.some((label) => label.reviewerKey === reviewerKey),
    offered: await listOffered(trial, reviews, hidden, reader),
    storageKey:
      item === null
        ? `${subject.trialId ?? subject.jobName}/${subject.trialName}`
        : `${item.queueId}/${String(item.position)}`,
  };
}

/** Includes what any reviewer judged without seeing, since the address may name no queue. */
function listHidden({ labels }: ScopeTrial, queue: Queue | null): readonly BlindPart[] {
  return [
    ...new Set([
      ...(queue?.settings.hides ?? []),
      ...labels.flatMap(({ annotation }) => annotation.hidden ?? []),
    ]),
  ];
}

function findItem({ labels, position }: ScopeTrial, queue: Queue | null): QueuePlace | null {
  if (queue !== null && position !== null) return { queueId: queue.queueId, position };
  const blind = labels.find(({ annotation: { hidden } }) => hidden !== null && hidden.length > 0);
  return blind?.annotation.queue ?? null;
}

function pickReview(annotation: Omit<Annotation, "evidence">, noteBytes: number) {
  const { versionId, reviewerId, reviewerDiscipline, timestamp, judgment, confidence, notes } = annotation;
  const kept = notes === null ? null : fitPage(notes, noteBytes);
  return {
    versionId,
    reviewerId,
    timestamp,
    judgment,
    confidence,
    discipline: reviewerDiscipline,
    notes: kept === notes ? notes : `${kept ?? ""}… (${formatCount(notes?.length ?? 0)} characters)`,
  };
}

/** Tests, dimensions and hidden files would reveal what is hidden. */
function isPlaceShown({ kind, place }: EvidenceAnchor, hidden: readonly BlindPart[]): boolean {
  if (kind === "test" || kind === "dimension") return !hidden.includes("verifier");
  return kind !== "artifact" || isFileShown(place, hidden);
}

/** While anything is hidden, opens the trial in its queue, whose address does not identify it. */
function linkTrial(
  { place }: ScopeTrial,
  item: QueuePlace | null,
  hidden: readonly BlindPart[],
): OpenTrial | null {
  if (place === null) return null;
  if (item !== null && hidden.length > 0) return openAt({ kind: "item", ...item });
  return openAt({ kind: "trial", jobKey: place.jobKey, trialKey: place.key, list: null });
}

function readContext(
  { subject, place }: ScopeTrial,
  hidden: readonly BlindPart[],
  identityOf: ConflictReader["identityOf"],
) {
  const { agent, model, jobName, outcomeSeen, rewardSeen } = subject;
  const hidesAgent = hidden.includes("agent");
  return {
    agent: hidesAgent ? null : { name: agent, model, identity: identityOf(agent, model) },
    jobName: hidesAgent ? null : (place?.jobName ?? jobName),
    verifier: hidden.includes("verifier")
      ? null
      : { outcome: place?.outcome ?? outcomeSeen, reward: place === null ? rewardSeen : place.reward },
  };
}

function listToday(
  { categories, codebookVersion }: Pick<Annotation, "categories" | "codebookVersion">,
  history: CodebookHistory,
): readonly string[] {
  const labels = categories.map((label) => resolveLabel(history, label, codebookVersion)?.label ?? label);
  return [...new Set(labels)];
}

function nameToday(decision: Decision, history: CodebookHistory): Decision {
  return { ...decision, categories: listToday(decision, history) };
}

/** Merges anchors at the same place. Steps come first in trace order, then the rest by name. */
function mergeAnchors(
  reviews: readonly { readonly anchors: readonly EvidenceAnchor[]; readonly letter: string }[],
) {
  const merged: (EvidenceAnchor & { readonly letters: readonly string[] })[] = [];
  const all = reviews.flatMap(({ anchors, letter }) => anchors.map((anchor) => ({ anchor, letter })));
  for (const { anchor, letter } of all) {
    const at = merged.findIndex((other) => isSameAnchor(other, anchor));
    const same = merged[at];
    if (same === undefined) merged.push({ ...anchor, letters: [letter] });
    else merged[at] = { ...same, quote: same.quote ?? anchor.quote, letters: [...same.letters, letter] };
  }
  return merged.toSorted(
    (a, b) =>
      Number(a.kind !== "step") - Number(b.kind !== "step") ||
      compareNames(a.kind, b.kind) ||
      compareNames(a.place, b.place) ||
      (a.line ?? 0) - (b.line ?? 0),
  );
}

async function listOffered(
  { subject }: ScopeTrial,
  reviews: readonly { readonly categories: readonly string[] }[],
  hidden: readonly BlindPart[],
  { annotations, history }: ConflictReader,
) {
  const { byJudgment } = await readOffers(annotations, subject, hidden);
  const given = describeCategories(history, [...new Set(reviews.flatMap(({ categories }) => categories))]);
  const offer = (judgment: Judgment): readonly OfferedCategory[] => [
    ...given,
    ...byJudgment[judgment].filter(({ label }) => given.every((one) => one.label !== label)),
  ];
  return { pass: offer("pass"), fail: offer("fail"), defer: offer("defer"), open: given };
}
