import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ReactNode } from "react";
import { onTestFinished } from "vitest";

import { ReviewForm } from "@/components/annotations/review-form";
import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import { ConflictError } from "@/lib/core/domain/app-error";
import { listSplits, readOffers, searchCategories, type ReviewState } from "@/lib/pages/annotations/review";
import type { RefusedActions } from "@/lib/people/accounts";
import {
  type AnnotationStore,
  createAnnotation,
  limitChains,
  openAnnotationStore,
  readCodebook,
  readHistory,
  type ReviewRequest,
  withdrawAnnotation,
} from "@/lib/people/annotations";

import { openPage } from "./open-page.fixture";
import { answerAction } from "./server-actions.fixture";

export const SUBJECT: AnnotationSubject = {
  trialId: null,
  jobUuid: null,
  trialName: "tidy-ledger__aB3dE7x",
  jobName: "nightly",
  rootLabel: "runs",
  taskName: "tidy-ledger",
  agent: "orca",
  model: null,
  outcomeSeen: "failed",
  rewardSeen: "0.0",
};
export const ACTOR = { browserKeyHash: "a".repeat(64), isAdmin: false };
const ADDRESS = `/jobs/nightly/trials/${SUBJECT.trialName}`;

/** A store of the test's own. */
export function openDeskStore(): AnnotationStore {
  const folder = mkdtempSync(join(tmpdir(), "desk-"));
  const file = join(folder, "annotations.sqlite");
  const store = openAnnotationStore({ engine: "sqlite", file, synchronous: "NORMAL" });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return store;
}

/** Answer of an action with the page that it changed. A conflict is a value. */
export async function answerWithPage<Result>(
  reload: () => Promise<void>,
  result: Promise<Result>,
): Promise<Result | { readonly status: "conflict"; readonly message: string }> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof ConflictError) return { status: "conflict", message: error.message };
    throw error;
  } finally {
    await reload();
  }
}

export function judge(
  store: AnnotationStore,
  {
    saveId = null,
    ...request
  }: Pick<ReviewRequest<"save">, "draft" | "baseVersionId"> & Partial<Pick<ReviewRequest<"save">, "saveId">>,
) {
  const { draft, baseVersionId } = request;
  const id = saveId === null ? {} : { saveId };
  return createAnnotation(store, { subject: SUBJECT, draft, baseVersionId, actor: ACTOR, ...id });
}

/** Judgments of a trial as its page has them. */
async function readState(store: AnnotationStore): Promise<ReviewState> {
  const history = await readHistory(store, SUBJECT);
  const current = history.flatMap((chain) => chain.current ?? []);
  return {
    target: { kind: "trial", jobKey: "nightly", trialKey: SUBJECT.trialName, list: null },
    at: { jobKey: "nightly", trialKey: SUBJECT.trialName, list: null, queue: null },
    draftKey: `nightly/${SUBJECT.trialName}`,
    seen: { outcome: SUBJECT.outcomeSeen, reward: SUBJECT.rewardSeen },
    hidden: [],
    judged: limitChains(history),
    decision: null,
    offers: await readOffers(store, SUBJECT, []),
    splits: listSplits(await readCodebook(store), current),
    progress: { kind: "job", nTrials: 5, nReviewed: {} },
    stale: [],
    othersOfAdmin: [],
    problem: null,
  };
}

function answerReviews(store: AnnotationStore, reload: () => Promise<void>): void {
  answerAction("saveReview", (request: ReviewRequest<"save">) =>
    answerWithPage(
      reload,
      judge(store, request).then(({ versionId }) => ({
        ...{ status: "saved", versionId, wasLast: false },
        nextHref: request.thenNext ? `${ADDRESS}-next` : null,
      })),
    ),
  );
  answerAction("undoReview", (request: ReviewRequest<"undo">) =>
    answerWithPage(
      reload,
      withdrawAnnotation(store, { ...request, subject: SUBJECT, actor: ACTOR, queueId: null }).then(() => ({
        status: "undone",
      })),
    ),
  );
  answerAction("findCategories", ({ text }: ReviewRequest<"categories">) => searchCategories(store, text));
}

/** The review form of a failed trial with a real store, and the rest of its page. */
export async function openReviewDesk({
  change = {},
  refused = {},
  beside = null,
}: {
  readonly change?: Partial<ReviewState>;
  readonly refused?: RefusedActions;
  readonly beside?: ReactNode;
} = {}) {
  const store = openDeskStore();
  let state = { ...(await readState(store)), ...change };
  const draw = () => (
    <>
      <ReviewForm review={state} listWords={null} />
      {beside}
    </>
  );
  const open = () => openPage(draw, { address: ADDRESS, refused });
  let desk = open();
  const reload = async () => {
    state = { ...(await readState(store)), ...change };
    desk.redraw();
  };
  answerReviews(store, reload);
  return {
    ...desk,
    store,
    /** The server receives saves again after a test that answered them otherwise. */
    reach: () => answerReviews(store, reload),
    /** As if the page was left and opened again. */
    reopen: () => {
      desk.leave();
      desk = open();
    },
    listSaved: async () => (await readHistory(store, SUBJECT)).flatMap(({ current }) => current ?? []),
  };
}
