"use client";

import { useRouter } from "next/navigation";
import { type ComponentProps, useEffect, useRef, useState } from "react";

import { goOnInQueue } from "@/components/annotations/use-focus-after";
import { CommandKey } from "@/components/shell/command-key";
import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";
import { formatPlural } from "@/lib/core/format/number";
import { closeQueueAction, openNextAction, putBackAction } from "@/lib/pages/queues/actions";

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
    <ChangeButton work={() => closeQueueAction({ queueId, isClosed: !isClosed })} look="plain">
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
    <ChangeButton
      work={() => putBackAction({ queueId, position })}
      look="bare"
      aria-label={`Put ${taskName} back`}
    >
      Put back
    </ChangeButton>
  );
}

function ChangeButton({
  work,
  ...rest
}: ComponentProps<typeof Button> & { work: () => ReturnType<typeof putBackAction> }) {
  const { problem, isPending, run } = useAction();
  return (
    <>
      <Button aria-disabled={isPending} onClick={() => run(work)} {...rest} />
      <Problem>{problem}</Problem>
    </>
  );
}
