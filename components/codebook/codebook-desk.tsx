"use client";

import { createContext, type ReactNode, useContext, useRef, useState, useSyncExternalStore } from "react";

import { ForAction, useAccountName } from "@/components/shell/account-context";
import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";
import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { changeCodebookAction } from "@/lib/pages/codebook/actions";
import type { CodebookForm } from "@/lib/people/annotations";

import { readReviewer, rememberReviewer } from "../annotations/draft-storage";

interface Desk {
  readonly author: string;
  readonly version: number;
  readonly send: (form: CodebookForm, baseVersion: number) => ReturnType<typeof changeCodebookAction>;
  readonly announce: (text: string, undo?: { readonly form: CodebookForm; readonly version: number }) => void;
}

const DeskContext = createContext<Desk | null>(null);

export function useCodebookDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error("There is no CodebookDesk above.");
  return desk;
}

const NAMELESS = {
  status: "invalid",
  message: "Enter your name (shown with the change).",
  fields: {},
} as const;

/** The name may be only in the browser's storage, which the server cannot read. */
function useStoredName(): string {
  return useSyncExternalStore(
    () => () => undefined,
    () => readReviewer().reviewerId,
    () => "",
  );
}

export function CodebookDesk({
  version,
  reviewerId,
  parts,
  children,
}: {
  version: number;
  parts: ReactNode;
  reviewerId: string;
  children: ReactNode;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const stored = useStoredName();
  const author = typed ?? (reviewerId === "" ? stored : reviewerId);
  const [done, setDone] = useState<Parameters<Desk["announce"]> | null>(null);
  const [text, undo] = done ?? [];
  const field = useRef<HTMLInputElement>(null);
  const send: Desk["send"] = async (form, baseVersion) => {
    if (author.trim() !== "") return changeCodebookAction({ form, baseVersion, author });
    field.current?.focus();
    return NAMELESS;
  };
  const announce: Desk["announce"] = (...said) => setDone(said);
  return (
    <DeskContext value={{ author, version, send, announce }}>
      <div className="row codebook-desk">
        {parts}
        <ForAction action="changeCodebookAction" subject="Changing the codebook">
          <label className="row">
            <span className="muted">Changes are signed by</span>
            <input
              ref={field}
              className="input"
              value={author}
              readOnly={useAccountName() !== null}
              placeholder="Your name"
              autoComplete="name"
              maxLength={DRAFT_LIMITS.reviewerId}
              onChange={({ target }) => {
                setTyped(target.value);
                rememberReviewer({ ...readReviewer(), reviewerId: target.value });
              }}
            />
          </label>
        </ForAction>
        <p role="status" className="codebook-done">
          {text}
        </p>
        {undo === undefined ? null : (
          <UndoChange
            key={undo.version}
            onUndo={() => send(undo.form, undo.version)}
            onDone={() => announce("Undone.")}
          />
        )}
      </div>
      {children}
    </DeskContext>
  );
}

function UndoChange({ onUndo, onDone }: { onUndo: () => ReturnType<Desk["send"]>; onDone: () => void }) {
  const { problem, isPending, run } = useAction();
  return (
    <>
      <Button disabled={isPending} onClick={() => run(onUndo, onDone)}>
        Undo
      </Button>
      <Problem>{problem}</Problem>
    </>
  );
}
