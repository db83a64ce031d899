import { compareText } from "@/lib/domain/compare-text";
import {
  type Annotation,
  type AnnotationSubject,
  isSameTrial,
  type TrialIdentity,
} from "@/lib/domain/annotation";

import type { AnnotationEvent } from "./record";

export interface ReviewerChain {
  readonly reviewerKey: string;
  /** The name as last typed. */
  readonly reviewerId: string;
  /** The reviewer's last event, a withdrawal included; a save states it as its base. */
  readonly headVersionId: string;
  /** The version that counts; null when all are withdrawn. */
  readonly current: Annotation | null;
  /** All saved versions, newest first. */
  readonly versions: readonly Annotation[];
}

export interface TrialAnnotations {
  /** The trial as it was shown at the last event. */
  readonly subject: AnnotationSubject;
  /** One per reviewer, the one who acted last first. */
  readonly chains: readonly ReviewerChain[];
}

/**
 * Chains of one trial's events.
 *
 * @param events - of one trial, in stored order
 * @returns one chain per reviewer, the one who acted last first. The current version is the last saved one that was
 *   not withdrawn, so withdrawing a correction brings the judgment before it back.
 */
export function computeChains(events: readonly AnnotationEvent[]): ReviewerChain[] {
  const byReviewer = new Map<string, AnnotationEvent[]>();
  for (const event of events) {
    const chain = byReviewer.get(event.reviewerKey) ?? [];
    // Set again so that the map's order is the order of last events.
    byReviewer.delete(event.reviewerKey);
    chain.push(event);
    byReviewer.set(event.reviewerKey, chain);
  }
  return [...byReviewer.values()].map(computeChain).toReversed();
}

/** Chains in the order in which their reviewers judged first, which nothing that comes later changes. */
export function orderByFirst(chains: readonly ReviewerChain[]): readonly ReviewerChain[] {
  const begin = ({ versions }: ReviewerChain) => versions.at(-1)?.timestamp ?? "";
  return chains.toSorted(
    (a, b) => compareText(begin(a), begin(b)) || compareText(a.reviewerKey, b.reviewerKey),
  );
}

/** Trials of any events, the one with the newest event first. */
export function groupByTrial(events: readonly AnnotationEvent[]): TrialAnnotations[] {
  return groupEvents(events).flatMap((trial) => {
    const last = trial.at(-1);
    return last === undefined ? [] : [{ subject: last.subject, chains: computeChains(trial) }];
  });
}

/** Events of each trial, in their order; the trial with the newest event first. */
export function groupEvents<Event extends { readonly subject: TrialIdentity }>(
  events: readonly Event[],
): readonly (readonly Event[])[] {
  const byName = new Map<string, Event[][]>();
  const newestFirst = new Set<Event[]>();
  for (const event of events) {
    const sameName = byName.get(event.subject.trialName) ?? [];
    let trial = sameName.find((group) => group.some((other) => isSameTrial(other.subject, event.subject)));
    if (trial === undefined) {
      trial = [];
      sameName.push(trial);
      byName.set(event.subject.trialName, sameName);
    }
    trial.push(event);
    newestFirst.delete(trial);
    newestFirst.add(trial);
  }
  return [...newestFirst].toReversed();
}

function computeChain(events: readonly AnnotationEvent[]): ReviewerChain {
  const withdrawals = new Map(
    events.flatMap((event) => (event.withdraws === null ? [] : [[event.withdraws, event]])),
  );
  const currentId = events.findLast(
    (event) => event.judgment !== null && !withdrawals.has(event.versionId),
  )?.versionId;
  const versions = events.flatMap((event, index): Annotation[] => {
    const { withdraws: _, reviewerKey: __, judgment, ...saved } = event;
    if (judgment === null) return [];
    const withdrawal = withdrawals.get(event.versionId);
    const kept = event.versionId === currentId ? "current" : "superseded";
    return [
      {
        ...saved,
        judgment,
        version: index + 1,
        status: withdrawal === undefined ? kept : "withdrawn",
        withdrawnAt: withdrawal?.timestamp ?? null,
        withdrawnBy: withdrawal?.savedBy ?? null,
      },
    ];
  });
  const head = events.at(-1);
  return {
    reviewerKey: head?.reviewerKey ?? "",
    reviewerId: head?.reviewerId ?? "",
    headVersionId: head?.versionId ?? "",
    current: versions.find((version) => version.status === "current") ?? null,
    versions: versions.toReversed(),
  };
}
