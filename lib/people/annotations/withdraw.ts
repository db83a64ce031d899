import { randomUUID } from "node:crypto";

import { type AnnotationSubject, computeReviewerKey } from "@/lib/core/domain/annotation";
import { ConflictError, NotFoundError } from "@/lib/core/domain/app-error";

import { computeChains, type ReviewerChain } from "./chain";
import { type Actor, claimChain, NO_ACTOR } from "./owner";
import { insertEvents, selectTrialEvents } from "./record";
import type { AnnotationStore } from "./store";

interface WithdrawInput {
  readonly subject: AnnotationSubject;
  readonly reviewerId: string;
  /** Must be the reviewer's current version, or their judgment that counts in the queue. */
  readonly versionId: string;
  /** Queue to withdraw in, where the judgment counts even if the reviewer judged the trial elsewhere since. */
  readonly queueId?: string | null;
  readonly actor?: Actor;
}

/**
 * Adds an event; the version before it, if any, counts again.
 * @throws NotFoundError when this reviewer never saved that version; ForbiddenError for another browser's chain; ConflictError
 * when another version is current by now; StoreError (nothing was stored)
 */
export async function withdrawAnnotation(
  store: AnnotationStore,
  input: WithdrawInput,
  now: Date = new Date(),
): Promise<ReviewerChain> {
  const reviewerKey = computeReviewerKey(input.reviewerId);
  return store.write(async (db) => {
    const readEvents = async () =>
      (await selectTrialEvents(db, input.subject)).filter((event) => event.reviewerKey === reviewerKey);
    const events = await readEvents();
    const [chain] = computeChains(events);
    const version = chain?.versions.find((candidate) => candidate.versionId === input.versionId);
    if (chain === undefined || version === undefined) {
      throw new NotFoundError("There is no such judgment to undo.");
    }
    const claim = claimChain(events, input.actor ?? NO_ACTOR);
    const { status, queue } = version;
    const isOfQueue = queue !== null && queue.queueId === input.queueId;
    if (status === "withdrawn" || (status === "superseded" && !isOfQueue)) {
      throw new ConflictError("This judgment was already replaced or undone.", chain);
    }
    const event = {
      ...claim,
      versionId: randomUUID(),
      withdraws: version.versionId,
      subject: input.subject,
      reviewerKey,
      reviewerId: version.reviewerId,
      reviewerDiscipline: version.reviewerDiscipline,
      timestamp: now.toISOString(),
      judgment: null,
      categories: [],
      notes: null,
      confidence: null,
      evidence: [],
      // Queues count judgments by their own rows.
      queue: version.queue,
      hidden: null,
      codebookVersion: null,
      fingerprint: null,
    };
    await insertEvents(db, [event]);
    return computeChains(await readEvents())[0] ?? chain;
  });
}
