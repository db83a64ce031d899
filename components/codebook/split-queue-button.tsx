"use client";

import { useRouter } from "next/navigation";

import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";
import { formatPlural } from "@/lib/core/format/number";
import { queueSplitAction } from "@/lib/pages/codebook/actions";

import { useCodebookDesk } from "./codebook-desk";

export function SplitQueueButton({ id, nTrials }: { id: string; nTrials: number }) {
  const router = useRouter();
  const { author, announce } = useCodebookDesk();
  const { problem, isPending, run } = useAction();
  const queue = (): void =>
    run(
      () => queueSplitAction({ id, author }),
      ({ href, nLost, nCut }) => {
        const left = [
          nLost > 0 ? `${formatPlural(nLost, "trial")} left out: not in the open folders.` : "",
          nCut > 0 ? `${formatPlural(nCut, "trial")} left out: the queue is full.` : "",
        ].filter((words) => words !== "");
        if (left.length > 0) announce(left.join(" "));
        router.push(href);
      },
    );
  return (
    <>
      <Button disabled={isPending} onClick={queue}>
        Queue {formatPlural(nTrials, "trial")} to relabel
      </Button>
      <Problem>{problem}</Problem>
    </>
  );
}
