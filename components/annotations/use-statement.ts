"use client";

import { type RefObject, startTransition, useActionState, useEffect } from "react";

import { useHeldRenewals } from "@/components/shell/live-state";
import { isFailure } from "@/components/shell/use-action";
import { buildHref } from "@/lib/pages/address/href";
import type { ActionFailure } from "@/lib/pages/shell/act";

import { askWhy } from "./ask-why";
import { readSave } from "./draft-storage";
import { type LastStatement, noteWayOn, rememberStatement, undoLastStatement } from "./last-statement";
import { rememberField } from "./leave-field";
import { type LeavingCommand, type OpenNext, useTypeAhead } from "./type-ahead";

interface Said {
  readonly status: string;
  readonly nextHref?: string | null;
}

/** `offline` if there was no answer; null before the first command. */
export type Answer<Result> =
  | Result
  | { readonly status: "undone" }
  | ActionFailure
  | { readonly status: "offline" }
  | null;

type UndoLast = { readonly kind: "undoLast"; readonly last: LastStatement };
type Resend = { readonly kind: "resend"; readonly thenNext: false };

/**
 * Sends the commands of a form that judges or decides, one at a time, and opens the next page. Keys typed meanwhile are kept for
 * that page. A save that had no answer when the page was left is sent again first.
 * @param note - the form's text field
 * @param describe - returns a statement just saved, for the page opened from it
 * @param onAnswer - changes the form's draft
 */
export function useStatement<Command extends LeavingCommand, Result extends Said>({
  draftKey,
  note,
  inBrowser,
  send,
  resend,
  describe,
  onAnswer,
}: {
  readonly draftKey: string;
  readonly note: RefObject<HTMLTextAreaElement | null>;
  readonly inBrowser: boolean;
  readonly send: (command: Command) => Promise<Result | ActionFailure>;
  readonly resend: () => Promise<Result | ActionFailure | null>;
  readonly describe: (result: Extract<Result, { readonly status: "saved" }>) => LastStatement;
  readonly onAnswer: (result: Result | ActionFailure) => void;
}) {
  const leaving = useTypeAhead(note, inBrowser);

  function remember(result: Result): void {
    if (isSaved(result)) rememberStatement(describe(result));
    if (result.status === "undone") rememberStatement(null);
    if (result.nextHref != null) noteWayOn(draftKey, result.nextHref);
  }

  async function run(
    before: Answer<Result>,
    command: Command | UndoLast | Resend,
    open: OpenNext,
  ): Promise<Answer<Result>> {
    const leave = rememberField();
    try {
      if ("last" in command) {
        const undone = await undoLastStatement(command.last);
        if (undone.status === "conflict") return before;
        if ("href" in undone) open(undone.href);
        return undone;
      }
      const result = await (isResend(command) ? resend() : send(command));
      if (result === null) return before;
      if (!isFailure(result)) remember(result);
      if (result.status === "saved") leave();
      startTransition(() => onAnswer(result));
      if (!isFailure(result) && result.nextHref != null) open(buildHref(result.nextHref));
      return result;
    } catch (error) {
      // An action that throws got no usable answer: the draft stays.
      if (error instanceof Error) return askWhy();
      throw error;
    }
  }

  const [answer, dispatch, isPending] = useActionState<Answer<Result>, Command | UndoLast | Resend>(
    (before, command) => leaving(command, (open) => run(before, command, open)),
    null,
  );
  useHeldRenewals(isPending);
  useEffect(() => {
    if (inBrowser && readSave(draftKey) !== null)
      startTransition(() => dispatch({ kind: "resend", thenNext: false }));
  }, [inBrowser, draftKey, dispatch]);
  return {
    answer,
    isPending,
    send: (command: Command | UndoLast) => startTransition(() => dispatch(command)),
  };
}

function isResend(command: LeavingCommand): command is Resend {
  return command.kind === "resend";
}

function isSaved<Result extends Said>(
  result: Result,
): result is Extract<Result, { readonly status: "saved" }> {
  return result.status === "saved";
}
