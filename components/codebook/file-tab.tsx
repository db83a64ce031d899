"use client";

import { useState, useTransition } from "react";

import { ForAction } from "@/components/shell/account-context";
import { Button, ButtonLink } from "@/components/ui/button";
import { Section } from "@/components/ui/page-title";
import { formatBytes, formatPlural } from "@/lib/core/format/number";
import { importCodebookAction } from "@/lib/pages/codebook/actions";
import { CODEBOOK_FILE_HREF } from "@/lib/pages/codebook/address";

import { FileChoice } from "../annotations/file-choice";
import { useCodebookDesk } from "./codebook-desk";

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
