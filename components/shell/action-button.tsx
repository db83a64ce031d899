"use client";

import type { ComponentProps } from "react";

import { Button } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";
import type { ActionFailure } from "@/lib/pages/shell/act";

import { useAction } from "./use-action";

/** Runs `action`, and shows why it failed. */
export function ActionButton<Result extends object>({
  action,
  onDone,
  ...button
}: ComponentProps<typeof Button> & {
  action: () => Promise<Result | ActionFailure>;
  onDone?: (result: Result) => void;
}) {
  const { problem, isPending, run } = useAction();
  return (
    <>
      <Button aria-disabled={isPending} onClick={() => run(action, onDone)} {...button} />
      <Problem>{problem}</Problem>
    </>
  );
}
