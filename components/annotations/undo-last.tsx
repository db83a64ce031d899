"use client";

import { Undo2 } from "lucide-react";
import { useRouter } from "next/navigation";

import { CommandKey } from "@/components/shell/command-key";
import { useCommands } from "@/components/shell/commands";
import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";
import { useInBrowser } from "@/components/ui/use-in-browser";
import type { ActionFailure } from "@/lib/pages/shell/act";

import { readReviewer } from "./drafts";
import { askWhy, undoLastStatement, useLastStatement } from "./statements";
import { UNDO_LAST_TITLE } from "./use-review-form";

export function UndoLast() {
  const isInBrowser = useInBrowser();
  return isInBrowser ? <UndoLastButton /> : null;
}

function UndoLastButton() {
  const router = useRouter();
  const { problem, isPending, run } = useAction();
  const last = useLastStatement(readReviewer().reviewerId);
  const undo = (): void => {
    if (last === null) return;
    run(
      () =>
        undoLastStatement(last).catch(async () => {
          const why = await askWhy();
          return why.status === "offline" ? OFFLINE : why;
        }),
      ({ href }) => router.push(href),
    );
  };
  useCommands(last === null ? {} : { "review.undo": undo });
  return (
    <>
      {last === null ? null : (
        <>
          <span className="caption">{last.words}</span>
          <Button look="bare" aria-disabled={isPending} title={UNDO_LAST_TITLE} onClick={undo}>
            <Undo2 size={14} aria-hidden /> Undo last <CommandKey id="review.undo" />
          </Button>
        </>
      )}
      <Problem>{problem}</Problem>
    </>
  );
}

const OFFLINE: ActionFailure = {
  status: "failed",
  message: "Not undone: the server did not respond.",
  fields: {},
};
