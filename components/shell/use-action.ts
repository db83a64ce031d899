"use client";

import { useState, useTransition } from "react";

import type { ActionFailure } from "@/lib/pages/shell/act";

import { announce } from "./announcer";

const NO_ANSWER: ActionFailure = {
  status: "failed",
  message: "Assay is not responding. Check whether the change was saved before you try again.",
  fields: {},
};

export function isFailure(result: object): result is ActionFailure {
  return "message" in result;
}

/** Runs server actions, one at a time. @param isAnnounced - shows a failure as a message, where no `problem` is rendered */
export function useAction({ isAnnounced = false } = {}) {
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [isPending, start] = useTransition();
  const run = <T extends object>(
    work: () => Promise<T | ActionFailure>,
    onDone: (result: T) => void | Promise<void> = () => undefined,
  ): void => {
    if (isPending) return;
    start(async () => {
      const result = await work().catch(() => NO_ANSWER);
      setFailure(isFailure(result) ? result : null);
      if (!isFailure(result)) await onDone(result);
      else if (isAnnounced) announce(result.message, { isShown: true });
    });
  };
  return { problem: failure?.message ?? null, isConflict: failure?.status === "conflict", isPending, run };
}
