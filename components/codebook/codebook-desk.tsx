"use client";

import { useRouter } from "next/navigation";
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useRef,
  useState,
  useSyncExternalStore,
  useTransition,
} from "react";

import { readReviewer, rememberReviewer } from "@/components/annotations/drafts";
import { FileChoice } from "@/components/annotations/file-choice";
import { ForAction, useAccountName } from "@/components/shell/account-context";
import { ActionButton } from "@/components/shell/action-button";
import { useAction } from "@/components/shell/use-action";
import { Button, ButtonLink } from "@/components/ui/button";
import { Section } from "@/components/ui/page-title";
import { Problem } from "@/components/ui/problem";
import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { formatPlural, formatBytes } from "@/lib/core/format/number";
import { changeCodebookAction, queueSplitAction, importCodebookAction } from "@/lib/pages/codebook/actions";
import { CODEBOOK_FILE_HREF } from "@/lib/pages/codebook/address";
import type { CodebookForm } from "@/lib/people/annotations";

interface Desk {
  readonly author: string;
  readonly version: number;
  readonly send: (form: CodebookForm, baseVersion: number) => ReturnType<typeof changeCodebookAction>;
  readonly announce: (text: string, undo?: { readonly form: CodebookForm; readonly version: number }) => void;
}

const DeskContext = createContext<Desk | null>(null);

function useCodebookDesk(): Desk {
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

interface CodebookDeskProps {
  readonly version: number;
  readonly parts: ReactNode;
  readonly reviewerId: string;
  readonly children: ReactNode;
}

export function CodebookDesk({ version, reviewerId, parts, children }: CodebookDeskProps) {
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
      <div className="flow codebook-desk">
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
          <ActionButton
            key={undo.version}
            action={() => send(undo.form, undo.version)}
            onDone={() => announce("Undone.")}
          >
            Undo
          </ActionButton>
        )}
      </div>
      {children}
    </DeskContext>
  );
}

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

interface ChangeButtonProps extends Omit<ComponentProps<typeof Button>, "form"> {
  readonly form: CodebookForm;
  readonly done: string;
  readonly undo: CodebookForm | null;
}

/** Makes a change that needs no form. */
export function ChangeButton({ form, done, undo, ...button }: ChangeButtonProps) {
  const { submit, problem, isPending } = useChange({ isTyped: false });
  return (
    <>
      <Button disabled={isPending} onClick={() => submit(form, { text: done, undo })} {...button} />
      <Problem>{problem}</Problem>
    </>
  );
}

export function SplitQueueButton({ id, nTrials }: { id: string; nTrials: number }) {
  const router = useRouter();
  const { author, announce } = useCodebookDesk();
  return (
    <ActionButton
      action={() => queueSplitAction({ id, author })}
      onDone={({ href, nLost, nCut }) => {
        const left = [
          nLost > 0 ? `${formatPlural(nLost, "trial")} left out: not in the open folders.` : "",
          nCut > 0 ? `${formatPlural(nCut, "trial")} left out: the queue is full.` : "",
        ].filter((words) => words !== "");
        if (left.length > 0) announce(left.join(" "));
        router.push(href);
      }}
    >
      Queue {formatPlural(nTrials, "trial")} to relabel
    </ActionButton>
  );
}

export function CodingSwitch({ isOn }: { isOn: boolean }) {
  return (
    <div className="codebook-switch">
      <div className="row">
        <b>Open coding is {isOn ? "on" : "off"}.</b>
        <ChangeButton
          aria-pressed={isOn}
          form={{ kind: "open-coding", isOn: !isOn }}
          done={
            isOn
              ? "Open coding is off: reviewers choose categories."
              : "Open coding is on: reviewers write notes only."
          }
          undo={{ kind: "open-coding", isOn }}
        >
          {isOn ? "End open coding" : "Start open coding"}
        </ChangeButton>
      </div>
      <p className="muted">
        Use it for the first 30 to 50 reviews: write judgments and notes only. Then read the notes together,
        add a category for each recurring cause, and end it.
      </p>
    </div>
  );
}

/** Bytes a page may send at once, leaving room for the rest of its request. */
const MOST_BYTES = 250_000;

type Result =
  | Awaited<ReturnType<typeof importCodebookAction>>
  | { readonly status: "too-large"; readonly size: number };

export function FileTab() {
  return (
    <>
      <Section title="Export">
        <p>One JSON file (assay.codebook/1), one category per line, with merged, split and retired ones.</p>
        <p className="codebook-actions">
          <ButtonLink href={CODEBOOK_FILE_HREF} download>
            Export codebook
          </ButtonLink>
        </p>
      </Section>
      <Section title="Import">
        <ForAction action="importCodebookAction" subject="Importing a codebook">
          <ImportForm />
        </ForAction>
      </Section>
    </>
  );
}

function ImportForm() {
  const { author } = useCodebookDesk();
  const [file, setFile] = useState<{ readonly name: string; readonly text: string } | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const [isPending, startTransition] = useTransition();
  const send = (content: string, isTrial: boolean): void =>
    startTransition(async () => {
      const size = new Blob([JSON.stringify(content)]).size;
      if (size > MOST_BYTES) setResult({ status: "too-large", size });
      else setResult(await importCodebookAction({ text: content, author, isTrial }));
    });
  const choose = async (chosen: File): Promise<void> => {
    setResult(null);
    const text = await chosen.text();
    setFile({ name: chosen.name, text });
    send(text, true);
  };
  // Refused for a missing name, for example: the file need not be chosen again.
  const isRefused = result?.status === "invalid" || result?.status === "failed";
  const canImport = result?.status === "compared" && !result.isDone && canDo(result);
  return (
    <>
      <p>
        Adds the categories of the file, and updates those with the same id or, without an id, the same name.
        Nothing is removed. You see a preview first.
      </p>
      <p className="codebook-actions">
        <FileChoice
          label="Codebook file"
          names={file === null ? [] : [file.name]}
          accept=".json,application/json"
          disabled={isPending}
          onChoose={([chosen]) => (chosen === undefined ? undefined : void choose(chosen))}
        />
      </p>
      <div role="status">{result === null ? null : <ImportWords result={result} />}</div>
      {isRefused && file !== null ? (
        <Button disabled={isPending} onClick={() => send(file.text, true)}>
          Check again
        </Button>
      ) : null}
      {canImport && file !== null ? (
        <Button look="main" disabled={isPending} onClick={() => send(file.text, false)}>
          Import
        </Button>
      ) : null}
    </>
  );
}

type Compared = Extract<Result, { status: "compared" }>;

function canDo({ added, changed, errors, conflicts }: Compared): boolean {
  return errors.length + conflicts.length === 0 && added.length + changed.length > 0;
}

function ImportWords({ result }: { result: Result }) {
  if (result.status === "too-large")
    return (
      <p className="problem">
        This file has {formatBytes(result.size)}; a page takes {formatBytes(MOST_BYTES)}. Import it with{" "}
        <code>assay codebook import FILE --dry-run</code>, then without <code>--dry-run</code>.
      </p>
    );
  if (result.status !== "compared") return <p className="problem">{result.message}</p>;
  const { added, changed, nUnchanged, conflicts, errors, isDone, version } = result;
  const isRefused = errors.length + conflicts.length > 0;
  return (
    <>
      <p>
        <b>{isDone ? `Imported as version ${version}.` : isRefused ? "Nothing was imported." : "Dry run."}</b>{" "}
        {added.length} added, {changed.length} changed, {nUnchanged} unchanged, {conflicts.length} in
        conflict, {formatPlural(errors.length, "error")}.
      </p>
      <Names title="Added" names={added} />
      <Names title="Changed" names={changed} />
      <Problems title="In conflict" problems={conflicts} />
      <Problems title="Errors" problems={errors} />
    </>
  );
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p className="codebook-listed">
      <span className="muted">{title}:</span> {names.join(", ")}
    </p>
  );
}

function Problems({ title, problems }: { title: string; problems: Compared["errors"] }) {
  if (problems.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className="codebook-listed">
        {problems.map(({ line, entry, label, message }, at) => (
          <li key={at}>
            {entry === null ? null : (
              <b>
                {line === null ? null : `Line ${String(line)}, `}entry {entry}
                {label === null ? "" : ` (${label})`}:{" "}
              </b>
            )}
            {message}
          </li>
        ))}
      </ul>
    </>
  );
}
