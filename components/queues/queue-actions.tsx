"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState, useTransition } from "react";

import { goOnInQueue } from "@/components/annotations/use-focus-after";
import { CommandKey } from "@/components/shell/command-key";
import { Button } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";
import { formatPlural } from "@/lib/core/format/number";
import {
  closeQueueAction,
  openNextAction,
  putBackAction,
  type QueueResult,
} from "@/lib/pages/queues/actions";

export function ReviewNext({ queueId }: { queueId: string }) {
  const router = useRouter();
  const [problem, setProblem] = useState<string | null>(null);
  const [isOpening, startOpening] = useTransition();
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
        aria-disabled={isOpening}
        onClick={() => {
          if (isOpening) return;
          startOpening(async () => {
            const next = await openNextAction(queueId);
            isLeft.current = next.status === "item";
            if (next.status === "item") router.push(next.href);
            else setProblem(next.status === "done" ? describeDone(next.nHeld) : next.message);
          });
        }}
      >
        Review next <CommandKey id="queuePage.review" />
      </Button>
      <Problem>{problem}</Problem>
    </>
  );
}

function describeDone(nHeld: number): string {
  if (nHeld === 0) return "Nothing is left for you in this queue.";
  return `Nothing is free for you: others are reviewing ${formatPlural(nHeld, "trial")}.`;
}

export function CloseQueue({ queueId, isClosed }: { queueId: string; isClosed: boolean }) {
  return (
    <ChangeButton work={() => closeQueueAction({ queueId, isClosed: !isClosed })}>
      {isClosed ? "Open again" : "Close queue"}
    </ChangeButton>
  );
}

export function PutBack({
  queueId,
  position,
  taskName,
}: {
  queueId: string;
  position: number;
  taskName: string;
}) {
  return (
    <ChangeButton work={() => putBackAction({ queueId, position })} label={`Put ${taskName} back`} isBare>
      Put back
    </ChangeButton>
  );
}

function ChangeButton({
  work,
  label,
  isBare = false,
  children,
}: {
  work: () => Promise<QueueResult>;
  label?: string;
  isBare?: boolean;
  children: ReactNode;
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, start] = useTransition();
  return (
    <>
      <Button
        look={isBare ? "bare" : "plain"}
        aria-label={label}
        aria-disabled={isPending}
        onClick={() => {
          if (isPending) return;
          start(async () => {
            const result = await work();
            setProblem(result.status === "failed" ? result.message : null);
          });
        }}
      >
        {children}
      </Button>
      <Problem>{problem}</Problem>
    </>
  );
}
