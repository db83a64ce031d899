"use client";

import { useState, useTransition } from "react";

import type { AccountResult } from "@/lib/pages/accounts/actions";

export function useChange() {
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();
  const change = (
    work: () => Promise<AccountResult>,
    onDone: (secret: string | null) => void = () => undefined,
  ) => {
    if (isPending) return;
    startTransition(async () => {
      const result = await work();
      setProblem(result.status === "failed" ? result.message : null);
      if (result.status === "done") onDone(result.secret);
    });
  };
  return { problem, isPending, change };
}
