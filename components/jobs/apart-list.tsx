"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";

import { ForAction } from "@/components/shell/account-context";
import { announce } from "@/components/shell/announcer";
import { Button } from "@/components/ui/button";
import { deleteRunSetAction } from "@/lib/pages/run-sets/actions";
import type { JobsRunSets } from "@/lib/pages/run-sets/jobs-run-sets";

export function ApartList({ apart }: Pick<JobsRunSets, "apart">) {
  const router = useRouter();
  const [isChanging, startChange] = useTransition();
  if (apart.length === 0) return null;
  const undo = (id: string): void =>
    startChange(async () => {
      const result = await deleteRunSetAction(id).catch(() => null);
      if (result?.status === "done") router.refresh();
      else announce(result?.message ?? "Assay is not responding. Nothing was changed.", { isShown: true });
    });
  return (
    <ul aria-label="Not repeats">
      {apart.map(({ id, jobs }) => (
        <li key={id}>
          <span>
            <b>Not repeats:</b> {jobs.join(", ")}
          </span>
          <ForAction action="deleteRunSetAction">
            <Button look="bare" disabled={isChanging} onClick={() => undo(id)}>
              Suggest again
            </Button>
          </ForAction>
        </li>
      ))}
    </ul>
  );
}
