"use client";

import { Undo2 } from "lucide-react";
import { useRouter } from "next/navigation";

import { ForAction } from "@/components/shell/account-context";
import { CommandKey } from "@/components/shell/command-key";
import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Problem } from "@/components/ui/problem";
import { compareParamsHref } from "@/lib/pages/compare/address";
import { deleteRunSetAction, restoreRunSetAction } from "@/lib/pages/run-sets/actions";
import type { JobsRunSets } from "@/lib/pages/run-sets/jobs-run-sets";

import "./run-set-changed.css";

type Changed = Pick<
  NonNullable<JobsRunSets["changed"]>,
  "id" | "ref" | "name" | "members" | "rule" | "isDeleted" | "isApart"
>;

export function RunSetChanged({ changed }: { changed: Changed }) {
  const router = useRouter();
  const { problem, isPending, run } = useAction();
  const { id, ref, isApart, isDeleted } = changed;
  const change = isDeleted ? restoreRunSetAction : deleteRunSetAction;
  return (
    <div className="run-set-changed">
      <p role="status">
        <Done changed={changed} />
      </p>
      <ForAction action="restoreRunSetAction">
        <Button
          look="bare"
          data-command="list.undo"
          disabled={isPending}
          onClick={() => run(() => change(id).finally(() => router.refresh()))}
        >
          <Undo2 size={14} aria-hidden />
          {isDeleted ? (isApart ? "Not repeats" : "Restore") : "Undo"}
          <CommandKey id="list.undo" />
        </Button>
      </ForAction>
      {isDeleted || isApart ? null : <Link href={compareParamsHref({ refs: [ref] })}>Compare</Link>}
      <Problem>{problem}</Problem>
    </div>
  );
}

function Done({ changed: { name, members, rule, isApart, isDeleted } }: { changed: Changed }) {
  const jobs = members.map((member) => member.name).join(", ");
  if (isApart)
    return (
      <>{isDeleted ? `${jobs} can be suggested as repeats again.` : `${jobs} will not be suggested again.`}</>
    );
  if (isDeleted)
    return (
      <>
        <b>{name}</b> was split: {jobs} count separately.
      </>
    );
  return (
    <>
      Counted {jobs} together as <b>{name}</b>.{rule === null ? "" : " New jobs that match join it."}
    </>
  );
}
