"use client";

import { useState } from "react";

import { isFailure } from "@/components/shell/use-action";
import { Button, ButtonLink } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { Problem } from "@/components/ui/problem";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { formatPlural, formatCount } from "@/lib/core/format/number";
import type { ImportSummary } from "@/lib/pages/annotations/import";
import {
  applyImport,
  checkImport,
  sendImportPart,
  startImport,
} from "@/lib/pages/annotations/import-actions";
import type { ActionFailure } from "@/lib/pages/shell/act";

import "./import-form.css";
import { FileChoice } from "./file-choice";

type Stage =
  | { readonly kind: "empty" }
  | { readonly kind: "sending"; readonly share: number }
  | { readonly kind: "checked"; readonly files: CheckedFiles }
  | { readonly kind: "importing"; readonly files: CheckedFiles }
  | { readonly kind: "done"; readonly summary: ImportSummary }
  | { readonly kind: "failed"; readonly message: string };

export function ImportForm() {
  const [stage, setStage] = useState<Stage>({ kind: "empty" });
  const [names, setNames] = useState<readonly string[]>([]);
  const check = async (files: readonly File[]) => {
    setNames(files.map(({ name }) => name));
    setStage({ kind: "sending", share: 0 });
    setStage(
      await attempt(async () => {
        const sent = await sendFiles(files, (share) => setStage({ kind: "sending", share }));
        return isFailure(sent) ? { kind: "failed", message: sent.message } : { kind: "checked", files: sent };
      }),
    );
  };
  const apply = async (files: CheckedFiles) => {
    setStage({ kind: "importing", files });
    setStage(
      await attempt(async () => {
        const summary = await applyImport(files.id);
        return isFailure(summary) ? { kind: "failed", message: summary.message } : { kind: "done", summary };
      }),
    );
  };
  const isBusy = stage.kind === "sending" || stage.kind === "importing";
  return (
    <div className="import-form">
      <p>
        <FileChoice
          label="Files"
          names={names}
          accept=".jsonl,.ndjson,application/x-ndjson"
          multiple
          disabled={isBusy}
          onChoose={(files) => void check(files)}
        />
        <span className="caption">
          JSON Lines from Assay, in one file or one per reviewer, or tags of another tool. Files are checked
          first; nothing is written until you confirm.
        </span>
      </p>
      <Status stage={stage} />
      {stage.kind === "checked" || stage.kind === "importing" ? (
        <>
          <ImportReportView summary={stage.files.summary} />
          <ApplyButton stage={stage} onApply={apply} />
        </>
      ) : null}
      {stage.kind === "done" ? (
        <>
          <ImportReportView summary={stage.summary} />
          <ButtonLink href="/annotations">Open the annotations</ButtonLink>
        </>
      ) : null}
    </div>
  );
}

async function attempt(work: () => Promise<Stage>): Promise<Stage> {
  try {
    return await work();
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    return { kind: "failed", message: `The server did not respond. Choose the files again. ${why}`.trim() };
  }
}

function Status({ stage }: { stage: Stage }) {
  return (
    <>
      <p role="status">{describeStage(stage)}</p>
      {stage.kind === "sending" ? <progress aria-label="Files sent" value={stage.share} max={1} /> : null}
      <Problem>{stage.kind === "failed" ? stage.message : null}</Problem>
    </>
  );
}

function describeStage(stage: Stage): string {
  switch (stage.kind) {
    case "empty":
    case "failed":
      return "";
    case "sending":
      return "Checking…";
    case "importing":
      return "Importing…";
    case "checked":
      return stage.files.summary.nErrors > 0
        ? `Fix ${formatPlural(stage.files.summary.nErrors, "invalid line")} before importing.`
        : "Checked. Nothing is written yet.";
    case "done":
      return stage.summary.state === "done"
        ? `Imported ${listAdded(stage.summary).join(", ") || "0 judgments"}.`
        : "Nothing was imported: some lines are invalid.";
  }
}

const ADDED = [
  ["nNew", "judgment"],
  ["nNewDecisions", "decision"],
  ["nNewQueues", "queue"],
  ["nNewTags", "tag"],
  ["nNewAnswers", "answer"],
  ["nNewNotes", "name or dismissal", "names and dismissals"],
  ["nWithdrawn", "undo", "undos"],
] as const;

function listAdded(summary: ImportSummary): readonly string[] {
  return ADDED.filter(([count]) => summary[count] > 0).map(([count, noun, plural]) =>
    formatPlural(summary[count], noun, plural),
  );
}

function ApplyButton({
  stage,
  onApply,
}: {
  stage: Extract<Stage, { kind: "checked" | "importing" }>;
  onApply: (files: CheckedFiles) => Promise<void>;
}) {
  const { files } = stage;
  const added = listAdded(files.summary);
  if (files.summary.nErrors > 0 || added.length === 0) return null;
  return (
    <Button look="main" disabled={stage.kind === "importing"} onClick={() => void onApply(files)}>
      Import {added.join(", ")}
    </Button>
  );
}

type Listed<Kind extends "errors" | "conflicts"> = DataColumn<ImportSummary[Kind][number]>;

const PLACE = column<Pick<ImportSummary["errors"][number], "file" | "line">>(
  "Line",
  ({ file, line }) => `${file}:${String(line)}`,
  { className: "num" },
);
const ERROR_COLUMNS: readonly Listed<"errors">[] = [
  PLACE,
  column("Problem and fix", ({ message }) => message, { className: "import-report-text" }),
];
const CONFLICT_COLUMNS: readonly Listed<"conflicts">[] = [
  PLACE,
  column("Reviewer", ({ reviewerId }) => reviewerId),
  column(
    "Trial",
    ({ trialName, jobName }) => (
      <>
        {trialName} {jobName === "" ? null : <span className="muted">of {jobName}</span>}
      </>
    ),
    { className: "import-report-text" },
  ),
  column("What happens", ({ message }) => message, { className: "import-report-text" }),
];

function ImportReportView({ summary }: { summary: ImportSummary }) {
  return (
    <>
      <dl className="import-report-counts">
        {listCounts(summary).map(([name, count, about]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatCount(count)}</dd>
            {about === "" ? null : <dd className="caption">{about}</dd>}
          </div>
        ))}
      </dl>
      {summary.notes.map((note) => (
        <p key={note} className="caption">
          {note}
        </p>
      ))}
      {summary.errors.length === 0 ? null : (
        <DataTable
          caption="Invalid lines"
          columns={ERROR_COLUMNS}
          rows={summary.errors}
          rowKey={(_, index) => index}
        />
      )}
      <Rest n={summary.nErrors - summary.errors.length} noun="more invalid line" />
      {summary.conflicts.length === 0 ? null : (
        <DataTable
          caption="Conflicts"
          columns={CONFLICT_COLUMNS}
          rows={summary.conflicts}
          rowKey={(_, index) => index}
        />
      )}
      <Rest n={summary.nConflicts - summary.conflicts.length} noun="more conflict" />
    </>
  );
}

function Rest({ n, noun }: { n: number; noun: string }) {
  return n > 0 ? <p className="caption">And {formatPlural(n, noun)}.</p> : null;
}

type CountLine = readonly [name: string, count: number, about: string];

function listCounts(summary: ImportSummary): readonly CountLine[] {
  const optional: readonly CountLine[] = [
    ["New decisions", summary.nNewDecisions, ""],
    ["New queues", summary.nNewQueues, ""],
    ["New tags", summary.nNewTags, "From other tools; suggestions until reviewers answer them."],
    ["New answers", summary.nNewAnswers, "To machine suggestions."],
    ["New names and dismissals", summary.nNewNotes, "Of clusters and findings, including earlier ones."],
    ["Undone", summary.nWithdrawn, "Undone in the source."],
    ["Repeated", summary.nRepeated, "Repeated in the files."],
    ["Older", summary.nOlder, "Older than the versions here; skipped."],
    [
      "Trials not in any open folder",
      summary.nUnknownTrials,
      "Their annotations are kept and reappear when you open the folder.",
    ],
  ];
  return [
    ["Lines", summary.nLines, ""],
    ["Trials", summary.nTrials, ""],
    ["New judgments", summary.nNew, ""],
    ["Already here", summary.nKnown, ""],
    ["Conflicts", summary.nConflicts, ""],
    ["Invalid lines", summary.nErrors, ""],
    ...optional.filter(([, count]) => count > 0),
  ];
}

/** Bytes of one part: in base64 well below what a change of a page may send at once. */
const PART_BYTES = 128 * 1024;

interface CheckedFiles {
  readonly id: string;
  readonly summary: ImportSummary;
}

/** Sends files in parts and has them checked; `onProgress` gets the sent share, from 0 to 1. */
async function sendFiles(
  files: readonly File[],
  onProgress: (share: number) => void,
): Promise<CheckedFiles | ActionFailure> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const started = await startImport();
  if (isFailure(started)) return started;
  const { id } = started;
  let sent = 0;
  for (const [index, file] of files.entries()) {
    // An empty file is sent too, so that the report names it.
    for (let at = 0; at === 0 || at < file.size; at += PART_BYTES) {
      const part = file.slice(at, at + PART_BYTES);
      const base64 = await readBase64(part);
      const answer = await sendImportPart({ id, file: index, name: file.name, base64 });
      if (isFailure(answer)) return answer;
      sent += part.size;
      onProgress(total === 0 ? 1 : sent / total);
    }
  }
  const summary = await checkImport(id);
  return isFailure(summary) ? summary : { id, summary };
}

function readBase64(part: Blob): Promise<string> {
  if (part.size === 0) return Promise.resolve("");
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const address = typeof reader.result === "string" ? reader.result : "";
      resolve(address.slice(address.indexOf(",") + 1));
    };
    reader.onerror = () => reject(reader.error ?? new Error("The file cannot be read."));
    reader.readAsDataURL(part);
  });
}
