"use client";

import type { Route } from "next";
import { PrefetchKind } from "next/dist/client/components/router-reducer/router-reducer-types";
import type { AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState, startTransition, useEffectEvent } from "react";

import { readReviewer, rememberReviewer } from "@/components/annotations/drafts";
import { Message } from "@/components/annotations/statement-form";
import { goOnInQueue, focusWhereLost } from "@/components/annotations/statements";
import { useMay } from "@/components/shell/account-context";
import { ActionButton } from "@/components/shell/action-button";
import { CommandKey } from "@/components/shell/command-key";
import { useAction, isFailure } from "@/components/shell/use-action";
import { ButtonLink, Button } from "@/components/ui/button";
import { FieldsForm } from "@/components/ui/fields-form";
import { Problem } from "@/components/ui/problem";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { findNameProblem } from "@/lib/core/domain/name-problem";
import { formatPlural } from "@/lib/core/format/number";
import { buildHref } from "@/lib/pages/address/href";
import {
  releaseQueueItem,
  renewQueueLease,
  takeQueueItem,
  type TakeResult,
} from "@/lib/pages/annotations/actions";
import { queueHref } from "@/lib/pages/annotations/review-address";
import { closeQueueAction, openNextAction, putBackAction } from "@/lib/pages/queues/actions";
import type { ReviewTarget } from "@/lib/people/annotations";

export function ReviewNext({ queueId }: { queueId: string }) {
  const router = useRouter();
  const { problem, isPending, run } = useAction();
  const [nHeld, setHeld] = useState<number | null>(null);
  const isLeft = useRef(false);
  // Keeps the keyboard focus when going on to the trial.
  useEffect(
    () => () => {
      if (isLeft.current) goOnInQueue();
    },
    [],
  );
  return (
    <>
      <Button
        look="main"
        data-review-next=""
        aria-disabled={isPending}
        onClick={() =>
          run(
            () => openNextAction(queueId),
            (next) => {
              isLeft.current = next.href !== null;
              if (next.href === null) setHeld(next.nHeld);
              else router.push(next.href);
            },
          )
        }
      >
        Review next <CommandKey id="queuePage.review" />
      </Button>
      <Problem>{problem ?? (nHeld === null ? null : describeDone(nHeld))}</Problem>
    </>
  );
}

function describeDone(nHeld: number): string {
  if (nHeld === 0) return "No trials left for you in this queue.";
  return `No trial is free: others are reviewing ${formatPlural(nHeld, "trial")}.`;
}

export function CloseQueue({ queueId, isClosed }: { queueId: string; isClosed: boolean }) {
  return (
    <ActionButton action={() => closeQueueAction({ queueId, isClosed: !isClosed })}>
      {isClosed ? "Open again" : "Close queue"}
    </ActionButton>
  );
}

interface PutBackProps {
  readonly queueId: string;
  readonly position: number;
  readonly taskName: string;
}

export function PutBack({ queueId, position, taskName }: PutBackProps) {
  return (
    <ActionButton
      action={() => putBackAction({ queueId, position })}
      look="bare"
      aria-label={`Put ${taskName} back`}
    >
      Put back
    </ActionButton>
  );
}

interface ConflictsLinkProps {
  readonly href: Route;
  readonly nConflicts: number;
  readonly hasUnjudged: boolean;
}

export function ConflictsLink({ href, nConflicts, hasUnjudged }: ConflictsLinkProps) {
  const decides = useMay("saveDecision") && hasUnjudged;
  return (
    <ButtonLink href={href} look={decides ? "main" : "plain"}>
      {decides ? "Decide" : "See"} {formatPlural(nConflicts, "conflict")}
    </ButtonLink>
  );
}

/** Asked once per browser: without a name no trial of a queue is handed out. */
export function ReviewerForm({ names }: { names: readonly string[] }) {
  const router = useRouter();
  const inBrowser = useInBrowser();
  const [name, setName] = useState("");
  const [discipline, setDiscipline] = useState("");
  const problem = findNameProblem(name);
  const isGiven = useRef(false);
  // The form disappears once there is a name, and the focus with it.
  useEffect(
    () => () => {
      if (isGiven.current) focusWhereLost("[data-review-next]", "#main");
    },
    [],
  );
  const take = () => {
    if (name.trim() === "" || problem !== null) return;
    const reviewerDiscipline = discipline.trim() || readReviewer().reviewerDiscipline;
    rememberReviewer({ reviewerId: name.trim(), reviewerDiscipline });
    isGiven.current = true;
    router.refresh();
  };
  return (
    <FieldsForm className="flow queue-name-form" label="Who reviews" onSend={take}>
      <label className="queue-field">
        <span className="caption">
          {names.length === 0
            ? "Your name, shown with your judgments"
            : `Your name, one of ${names.join(", ")}`}
        </span>
        <input
          className="input"
          name="reviewer"
          disabled={!inBrowser}
          value={name}
          maxLength={DRAFT_LIMITS.reviewerId}
          autoComplete="name"
          aria-invalid={problem !== null}
          onChange={(event) => setName(event.target.value)}
        />
        {problem === null ? null : (
          <span className="caption" role="alert">
            {problem}
          </span>
        )}
      </label>
      <label className="queue-field">
        <span className="caption">Your discipline (optional)</span>
        <input
          className="input"
          name="discipline"
          disabled={!inBrowser}
          value={discipline}
          maxLength={DRAFT_LIMITS.reviewerDiscipline}
          onChange={(event) => setDiscipline(event.target.value)}
        />
      </label>
      <Button type="submit">Review under this name</Button>
    </FieldsForm>
  );
}

type Item = Extract<ReviewTarget, { kind: "item" }>;

/** Heartbeat in milliseconds, well below the lease of ten minutes. */
const BEAT_MS = 60_000;

interface LeaseNoteProps {
  readonly target: ReviewTarget;
  readonly reviewerId: string;
  readonly isJudged: boolean;
}

export function LeaseNote({ target, reviewerId, isJudged }: LeaseNoteProps) {
  if (target.kind === "trial" || isJudged) return null;
  if (reviewerId.trim() === "") return <HeldRow words="" />;
  return (
    <HeldItem
      key={`${target.queueId} ${target.position} ${reviewerId}`}
      item={target}
      reviewerId={reviewerId}
    />
  );
}

function HeldItem({ item, reviewerId }: { item: Item; reviewerId: string }) {
  const { queueId, position } = item;
  const router = useRouter();
  const [state, setState] = useState<TakeResult | null>(null);
  const [ahead, setAhead] = useState<string | null>(null);
  const token = state?.status === "taken" ? state.token : null;
  useReadAhead(ahead);

  const take = async (steal: boolean): Promise<void> => {
    const result = await unlessOffline(takeQueueItem({ queueId, position, reviewerId, steal }));
    if (result === null) return;
    startTransition(() => {
      setState(result);
      if (result.status === "taken") setAhead(result.nextHref);
    });
  };
  const takeFirst = useEffectEvent(() => take(false));
  const beat = useEffectEvent(async () => {
    if (token === null) return;
    const result = await unlessOffline(renewQueueLease({ queueId, position, reviewerId, token }));
    if (result !== null) startTransition(() => setState(result));
  });
  useEffect(() => {
    // A name that is still being typed is not a reviewer yet.
    const timer = setTimeout(() => void takeFirst(), 150);
    const beats = setInterval(() => void beat(), BEAT_MS);
    return () => {
      clearTimeout(timer);
      clearInterval(beats);
    };
  }, []);

  if (state !== null && isFailure(state))
    return (
      <Message isBad>
        <p>{state.message}</p>
      </Message>
    );
  if (state?.status === "judged")
    return (
      <Message isBad={false}>
        <p>This trial has all its judgments. Yours will be kept as an extra one.</p>
      </Message>
    );
  if (state?.status === "taken")
    return (
      <HeldRow
        words="Reserved for you while this page is open."
        onGiveBack={() => void release(state.token)}
      />
    );
  if (state?.status !== "held") return <HeldRow words="Asking for this trial…" />;
  return (
    <Message isBad={false}>
      <p>
        {state.holder} is judging this trial. Go to the next one, or take it over; their page will say so.
      </p>
      <p className="flow review-message-actions">
        <Button onClick={() => void take(true)}>Take over</Button>
      </p>
    </Message>
  );

  async function release(held: string): Promise<void> {
    await unlessOffline(releaseQueueItem({ queueId, position, token: held }));
    router.push(queueHref(queueId));
  }
}

/** Rendered with the page, so that nothing below it moves once the trial is held. */
function HeldRow({ words, onGiveBack }: { words: string; onGiveBack?: () => void }) {
  return (
    <p className="row caption lease-held" aria-hidden={words === ""}>
      <span className="grow">{words}</span>
      <Button
        look="bare"
        title="Return it for other reviewers"
        disabled={onGiveBack === undefined}
        onClick={onGiveBack}
      >
        Give back
      </Button>
    </p>
  );
}

/** Milliseconds without news before the next page is prefetched. */
const QUIET_MS = 300;

/** Prefetches the next page: without it, 60 real trials took 125 ms (median) and 181 ms (p95). News make it stale. */
function useReadAhead(href: string | null): void {
  // The typed routes omit the options of `prefetch`.
  const router: AppRouterInstance = useRouter();
  useEffect(() => {
    if (href === null) return;
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => router.prefetch(buildHref(href), { kind: PrefetchKind.FULL, onInvalidate: wait });
    const wait = () => {
      clearTimeout(timer);
      if (!isLeft) timer = setTimeout(read, QUIET_MS);
    };
    wait();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [router, href]);
}

/** Returns null without an answer: a lease survives a short server outage, and the next beat asks again. */
async function unlessOffline<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}
