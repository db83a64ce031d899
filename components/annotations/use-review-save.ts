"use client";

import { useRouter } from "next/navigation";
import { startTransition, useActionState, useRef } from "react";

import { findNextReview, saveReview, undoReview } from "@/lib/actions/annotations";
import type { ReviewResult } from "@/lib/actions/annotations";
import { useHeldRenewals } from "@/components/shell/live-state";
import { buildHref } from "@/lib/addresses/href";
import type { ReviewState } from "@/lib/queries/annotations/review";

import { toContent } from "./use-review-draft";
import type { ReviewDraft } from "./use-review-draft";

/** The last answer; `offline` when there was none. Null before the first command. */
export type ReviewAnswer = ReviewResult | { readonly status: "offline" } | null;

type Command =
  | { readonly kind: "save"; readonly thenNext: boolean; readonly base: string | null }
  | { readonly kind: "undo" };

/** Sends saves and undos one after the other, and follows the way to the next trial. */
export function useReviewSave(review: ReviewState, form: ReviewDraft) {
  const router = useRouter();
  const attempt = useRef<{ readonly text: string; readonly saveId: string | null } | null>(null);
  const { jobKey, trialKey, subject } = review;

  async function save(thenNext: boolean, baseVersionId: string | null): Promise<ReviewResult> {
    if (!form.isDirty) {
      const { reviewerId } = form.draft;
      return findNextReview({ jobKey, trialKey, reviewerId });
    }
    const text = JSON.stringify([form.draft, baseVersionId]);
    // The same text sent again, because the answer was lost, is the same save.
    if (attempt.current?.text !== text) attempt.current = { text, saveId: makeSaveId() };
    const { saveId } = attempt.current;
    const { outcomeSeen, rewardSeen } = subject;
    const { draft } = form;
    return saveReview({ jobKey, trialKey, draft, baseVersionId, saveId, outcomeSeen, rewardSeen, thenNext });
  }

  async function undo(): Promise<ReviewResult> {
    const current = form.mine?.current ?? null;
    if (current === null) return { status: "undone" };
    return undoReview({ jobKey, trialKey, reviewerId: current.reviewerId, versionId: current.versionId });
  }

  async function run(_before: ReviewAnswer, command: Command): Promise<ReviewAnswer> {
    try {
      const result = await (command.kind === "save" ? save(command.thenNext, command.base) : undo());
      startTransition(() => {
        form.refuse(result.status === "failed" ? result.message : null);
        if (result.status === "saved") form.rebase(result.versionId);
        if (result.status === "undone") {
          const before = form.mine?.versions.find((version) => version.status === "superseded") ?? null;
          form.take(toContent(before));
        }
        if ("nextHref" in result && result.nextHref !== null) router.push(buildHref(result.nextHref));
      });
      return result;
    } catch (error) {
      // An action that throws got no answer, or one that is no answer of ours: the draft stays either way.
      if (error instanceof Error) return askWhy();
      throw error;
    }
  }

  const [answer, dispatch, isPending] = useActionState<ReviewAnswer, Command>(run, null);
  useHeldRenewals(isPending);
  return {
    answer,
    isPending,
    /** `base` is the head that the save stands on, by default the one the draft was started on. */
    save: (thenNext: boolean, base: string | null = form.base) =>
      startTransition(() => dispatch({ kind: "save", thenNext, base })),
    undo: () => startTransition(() => dispatch({ kind: "undo" })),
  };
}

/** Small, the same for everybody, and behind the guard as everything is. */
const PROBE = "/icon.svg";

/** Tells a server that does not answer from one that refuses: what an action throws is the same for both. */
async function askWhy(): Promise<ReviewAnswer> {
  const status = await fetch(PROBE, { method: "HEAD", cache: "no-store" }).then(
    (answer) => answer.status,
    () => null,
  );
  // A proxy answers for a server that does not, and Assay itself with 503 while it starts.
  if (status === null || status >= 502) return { status: "offline" };
  return { status: "failed", message: status === 401 ? SHUT_OUT : NOT_TAKEN };
}

const SHUT_OUT =
  "Not saved: the access token with which this browser came in is not accepted any more, as after a restart with a new one. " +
  "Open the address that was printed where Assay was last started; if its host and port are as before, the draft is there.";
const NOT_TAKEN =
  "Not saved: the server answers, but it did not take this. Reload the page, as Assay may have been updated; if it happens again, " +
  "the terminal that runs Assay may say why.";

/** Null where the browser has no random UUIDs (an address that is neither local nor secure); the store then makes one. */
function makeSaveId(): string | null {
  return "randomUUID" in crypto ? crypto.randomUUID() : null;
}
