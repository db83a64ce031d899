"use client";

import { useState } from "react";

import { useAction } from "@/components/shell/use-action";
import type { CodebookForm } from "@/lib/people/annotations";

import { useCodebookDesk } from "./codebook-desk";

/** @param isTyped - of a form: its change is based on the version that was shown when it opened, or refused it */
export function useChange({ isTyped, onDone }: { isTyped: boolean; onDone?: () => void }) {
  const { version, send, announce } = useCodebookDesk();
  const [opened, setOpened] = useState(version);
  const { run, ...state } = useAction();
  const submit = (form: CodebookForm, done: { readonly text: string; readonly undo: CodebookForm | null }) =>
    run(
      async () => {
        const result = await send(form, isTyped ? opened : version);
        if (result.status === "conflict" && "version" in result) setOpened(result.version);
        return result;
      },
      (result) => {
        const undo =
          done.undo === null || !("version" in result) ? undefined : { form: done.undo, ...result };
        announce(done.text, undo);
        onDone?.();
      },
    );
  return { submit, ...state };
}
