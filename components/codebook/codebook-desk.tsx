"use client";

import {
  createContext,
  type ReactNode,
  useContext,
  useRef,
  useState,
  useSyncExternalStore,
  useTransition,
} from "react";

import { ForAction, useAccountName } from "@/components/shell/account-context";
import { Button } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";
import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { changeCodebookAction, type CodebookResult } from "@/lib/pages/codebook/actions";
import type { CodebookForm } from "@/lib/people/annotations";

import { readReviewer, rememberReviewer } from "../annotations/draft-storage";

export interface Done {
  readonly text: string;
  readonly undo: CodebookForm | null;
}

export type SendChange = (form: CodebookForm, baseVersion: number, done: Done) => Promise<Failure | null>;

export interface Failure {
  readonly message: string;
  readonly version: number | null;
}

interface Desk {
  readonly author: string;
  readonly version: number;
  readonly isPending: boolean;
  readonly send: SendChange;
  readonly announce: (text: string) => void;
}

const DeskContext = createContext<Desk | null>(null);

export function useCodebookDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error("There is no CodebookDesk above.");
  return desk;
}

const NO_ANSWER = "No answer from Assay. Nothing that you typed is lost: try again.";

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
  const [done, setDone] = useState<(Done & { readonly version: number }) | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();
  const field = useRef<HTMLInputElement>(null);
  async function send(form: CodebookForm, baseVersion: number, after: Done): Promise<Failure | null> {
    if (author.trim() === "") {
      field.current?.focus();
      return { message: "Enter your name first: it is shown with the change.", version: null };
    }
    const result = await request(() => changeCodebookAction({ form, baseVersion, author }));
    if (result.status === "done") {
      setDone({ ...after, version: result.version });
      setFailure(null);
      return null;
    }
    return { message: result.message, version: result.status === "conflict" ? result.version : null };
  }
  const undo = (form: CodebookForm, on: number): void =>
    startTransition(async () => {
      const failed = await send(form, on, { text: "Undone.", undo: null });
      setFailure(failed?.message ?? null);
    });
  const announce = (text: string): void => setDone({ text, undo: null, version });
  return (
    <DeskContext value={{ author, version, isPending, send, announce }}>
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
        <p role="status" className="grow">
          {done === null ? null : (
            <>
              <span className="codebook-done">{done.text}</span>{" "}
              {done.undo === null ? null : (
                <Button disabled={isPending} onClick={() => done.undo && undo(done.undo, done.version)}>
                  Undo
                </Button>
              )}
            </>
          )}
        </p>
        <Problem>{failure}</Problem>
      </div>
      {children}
    </DeskContext>
  );
}

async function request(work: () => Promise<CodebookResult>): Promise<CodebookResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) return { status: "failed", message: NO_ANSWER };
    throw error;
  }
}
