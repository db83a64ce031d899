import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

import {
  type Annotation,
  type AnnotationSubject,
  computeReviewerKey,
  type QueuePlace,
} from "@/lib/core/domain/annotation";
import { ConflictError, NotFoundError, StoreError, ValidationError } from "@/lib/core/domain/app-error";
import { type BlindPart, findContext } from "@/lib/core/domain/review";

import { areSameCategories, ensureCategories } from "./codebook/verbs";
import { annotationDraftSchema, type ValidDraft } from "./draft-schema";
import { parseInput } from "./issues";
import { type Actor, claimChain, NO_ACTOR } from "./owner";
import { endLease, refuseTakenName, selectHead } from "./queues/stored-queue";
import {
  type AnnotationEvent,
  computeChains,
  isIdTaken,
  prepareJudgment,
  type ReviewerChain,
  selectChain,
  WITHDRAWN,
} from "./record";
import { addStatements } from "./statements/statement";
import type { AnnotationStore } from "./store";
import type { AnnotationDb } from "./tables";

interface AnnotationInput {
  readonly subject: AnnotationSubject;
  readonly draft: unknown;
  readonly baseVersionId: string | null;
  /** UUID of this save. Repeating it stores the save once; other content under the same id is refused. */
  readonly saveId?: string;
  readonly actor?: Actor;
  /** The queue's lease ends with the save. `hidden` names what the page hid. */
  readonly queue?: QueuePlace & { readonly hidden: readonly BlindPart[] };
  readonly fingerprint?: string | null;
}

/** Resolves once the version is on disk. */
export async function createAnnotation(
  store: AnnotationStore,
  input: AnnotationInput,
  now: Date = new Date(),
): Promise<Annotation> {
  const draft = parseInput(annotationDraftSchema, input.draft, "draft", "The annotation was not saved.");
  const reviewerKey = computeReviewerKey(draft.reviewerId);
  const versionId = input.saveId ?? randomUUID();

  return store.write(async (db) => {
    const readEvents = () => selectChain(db, input.subject, reviewerKey);
    const events = await readEvents();
    const [before] = computeChains(events);
    const stored = before?.versions.find((version) => version.versionId === versionId);
    if (stored !== undefined && (await isSameDraft(db, [stored, draft]))) return stored;
    if (await isIdTaken(db, versionId)) throw new ValidationError(ID_TAKEN, {});
    const { actor, savedBy } = await claimSave(db, events, input, draft);
    if ((before?.headVersionId ?? null) !== input.baseVersionId)
      throw describeConflict(before ?? null, draft);
    const { labels, version: codebookVersion } = await ensureCategories(db, draft.categories, {
      context: findContext(draft.judgment, input.subject.outcomeSeen),
      author: draft.reviewerId,
      now,
    });
    if (input.queue !== undefined) await endLease(db, input.queue, reviewerKey);
    const { reviewerId: author, ...said } = draft;
    const body = { ...said, ...readCircumstances(input), categories: labels, codebookVersion, savedBy };
    const at = now.toISOString();
    await addStatements(db, [prepareJudgment({ id: versionId, author, actor, at, body })]);
    const saved = computeChains(await readEvents())[0]?.current;
    if (saved?.versionId === versionId) return saved;
    throw new StoreError("store_corrupt", `The annotation store ${store.place} did not store the judgment.`);
  });
}

async function claimSave(
  db: AnnotationDb,
  events: readonly AnnotationEvent[],
  { queue, actor = NO_ACTOR }: AnnotationInput,
  { reviewerId }: ValidDraft,
) {
  const head = queue === undefined ? null : await selectHead(db, queue.queueId);
  if (head !== null) await refuseTakenName(db, head, reviewerId, actor);
  return claimChain(events, actor);
}

const ID_TAKEN =
  "The id of this save already belongs to another judgment, which is unchanged. This one was not saved. Send it with a new id.";

function readCircumstances({ subject: trial, queue, fingerprint = null }: AnnotationInput) {
  const place = queue === undefined ? null : { queueId: queue.queueId, position: queue.position };
  return { trial, queue: place, hidden: queue?.hidden ?? null, fingerprint };
}

/** Category names may have changed since. */
function isSameDraft(db: AnnotationDb, [stored, draft]: readonly [Annotation, ValidDraft]) {
  const { categories, ...said } = draft;
  const isSame = isDeepStrictEqual({ ...stored, ...said }, { ...stored });
  return isSame && areSameCategories(db, [stored.categories, categories]);
}

function describeConflict(theirs: ReviewerChain | null, mine: ValidDraft) {
  return new ConflictError(
    `${mine.reviewerId} changed the judgment of this trial in another window. Choose which one to keep.`,
    { theirs, mine },
  );
}

/** Adds an event; the version before it, if any, counts again. */
export async function withdrawAnnotation(
  store: AnnotationStore,
  input: {
    readonly subject: AnnotationSubject;
    readonly reviewerId: string;
    /** Must be the reviewer's current version, or their judgment that counts in the queue. */
    readonly versionId: string;
    /** Queue to withdraw in, where the judgment counts even if the reviewer judged the trial elsewhere since. */
    readonly queueId?: string | null;
    readonly actor?: Actor;
  },
  now: Date = new Date(),
): Promise<ReviewerChain> {
  const reviewerKey = computeReviewerKey(input.reviewerId);
  return store.write(async (db) => {
    const readEvents = () => selectChain(db, input.subject, reviewerKey);
    const events = await readEvents();
    const [chain] = computeChains(events);
    const version = chain?.versions.find((candidate) => candidate.versionId === input.versionId);
    if (chain === undefined || version === undefined) {
      throw new NotFoundError("There is no such judgment to undo.");
    }
    const { actor, savedBy } = claimChain(events, input.actor ?? NO_ACTOR);
    const { status, queue } = version;
    const isOfQueue = queue !== null && queue.queueId === input.queueId;
    if (status === "withdrawn" || (status === "superseded" && !isOfQueue)) {
      throw new ConflictError("This judgment was already replaced or undone.", chain);
    }
    // Queues count judgments by their own rows.
    const { versionId: parent, reviewerId: author, reviewerDiscipline } = version;
    const body = { ...WITHDRAWN, trial: input.subject, reviewerDiscipline, queue, savedBy };
    await addStatements(db, [prepareJudgment({ parent, author, actor, at: now.toISOString(), body })]);
    return computeChains(await readEvents())[0] ?? chain;
  });
}
