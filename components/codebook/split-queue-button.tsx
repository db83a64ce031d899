"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";

import { Button } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";
import { formatPlural } from "@/lib/core/format/number";
import { buildHref } from "@/lib/pages/address/href";
import { queueSplitAction } from "@/lib/pages/codebook/actions";

import { useCodebookDesk } from "./codebook-desk";

export function SplitQueueButton({ id, nTrials }: { id: string; nTrials: number }) {
  const router = useRouter();
  const { author, announce } = useCodebookDesk();
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();
  const queue = (): void =>
    startTransition(async () => {
      const result = await queueSplitAction({ id, author });
      if (result.status !== "queued") {
        setProblem(result.message);
        return;
      }
      const { nLost, nCut } = result;
      const left = [
        nLost > 0 ? `${formatPlural(nLost, "trial")} left out: in none of the open folders.` : "",
        nCut > 0 ? `${formatPlural(nCut, "trial")} left out: more than a queue holds.` : "",
      ].filter((words) => words !== "");
      if (left.length > 0) announce(left.join(" "));
      router.push(buildHref(result.href));
    });
  return (
    <>
      <Button disabled={isPending} onClick={queue}>
        Queue {formatPlural(nTrials, "trial")} to relabel
      </Button>
      <Problem>{problem}</Problem>
    </>
  );
}
