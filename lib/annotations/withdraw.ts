import { randomUUID } from "node:crypto";

import { computeReviewerKey } from "@/lib/domain/annotation";
import type { AnnotationSubject } from "@/lib/domain/annotation";
import { ConflictError, NotFoundError } from "@/lib/domain/app-error";

import { computeChains } from "./chain";
import type { ReviewerChain } from "./chain";
import { insertEvent, selectTrialEvents } from "./record";
import type { AnnotationStore } from "./store";

/** Which version to take back, and whose it is. */
export interface WithdrawInput {
  readonly subject: AnnotationSubject;
  readonly reviewerId: string;
  /** Must be the reviewer's current version. */
  readonly versionId: string;
}

/**
 * Takes the reviewer's current version back by adding a withdrawal; the version before it, if any, counts again.
 *
 * @returns the reviewer's chain afterwards
 * @throws NotFoundError when this reviewer never saved that version
 * @throws ConflictError of the chain when another version is current by now
 * @throws StoreError when the store cannot be written; nothing was stored
 */
export async function withdrawAnnotation(
  store: AnnotationStore,
  input: WithdrawInput,
  now: Date = new Date(),
): Promise<ReviewerChain> {
  const reviewerKey = computeReviewerKey(input.reviewerId);
  return store.write(async (db) => {
    const readChain = async (): Promise<ReviewerChain | undefined> =>
      computeChains(await selectTrialEvents(db, input.subject)).find(
        (chain) => chain.reviewerKey === reviewerKey,
      );
    const chain = await readChain();
    const version = chain?.versions.find((candidate) => candidate.versionId === input.versionId);
    if (chain === undefined || version === undefined) {
      throw new NotFoundError("There is no such judgment to take back.", {
        context: { versionId: input.versionId },
      });
    }
    if (version.status !== "current") {
      throw new ConflictError("This judgment was already replaced or taken back.", chain);
    }
    await insertEvent(db, {
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
    });
    return (await readChain()) ?? chain;
  });
}
