"use client";

import { Undo2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";

import { CommandKey } from "@/components/shell/command-key";
import { useCommands } from "@/components/shell/commands";
import { Button } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";
import { useInBrowser } from "@/components/ui/use-in-browser";

import { askWhy } from "./ask-why";
import { readReviewer } from "./draft-storage";
import { findLastStatement, undoLastStatement, usePageAddress } from "./last-statement";
import { UNDO_LAST_TITLE } from "./use-review-form";

export function UndoLast() {
  const isInBrowser = useInBrowser();
  return isInBrowser ? <UndoLastButton /> : null;
}

function UndoLastButton() {
  const router = useRouter();
  const { path } = usePageAddress();
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, start] = useTransition();
  const last = findLastStatement(readReviewer().reviewerId, ({ pathname }) => pathname === path);
  const undo = (): void => {
    if (last === null || isPending) return;
    start(async () => {
      const result = await undoLastStatement(last).catch(askWhy);
      if ("href" in result) router.push(result.href);
      setProblem("message" in result ? result.message : result.status === "offline" ? OFFLINE : null);
    });
  };
  useCommands(last === null ? {} : { "review.undo": undo });
  return (
    <>
      {last === null ? null : <span className="caption">{last.words}</span>}
      {last === null ? null : (
        <Button look="bare" aria-disabled={isPending} title={UNDO_LAST_TITLE} onClick={undo}>
          <Undo2 size={14} aria-hidden /> Undo last <CommandKey id="review.undo" />
        </Button>
      )}
      <Problem>{problem}</Problem>
    </>
  );
}

const OFFLINE = "Not undone: the server did not respond.";
