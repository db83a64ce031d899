"use client";

import { useState, useTransition } from "react";

import type { CodebookForm } from "@/lib/people/annotations";

import { type Done, type Failure, useCodebookDesk } from "./codebook-desk";

export function useChange({ isTyped, onDone }: { isTyped: boolean; onDone?: () => void }) {
  const { version, send } = useCodebookDesk();
  const [opened, setBase] = useState(version);
  const base = isTyped ? opened : version;
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isPending, startTransition] = useTransition();
  const submit = (form: CodebookForm, done: Done): void =>
    startTransition(async () => {
      const failed = await send(form, base, done);
      setFailure(failed);
      if (failed?.version != null) setBase(failed.version);
      if (failed === null) onDone?.();
    });
  return { submit, failure, isPending };
}
