"use client";

import { useRouter } from "next/navigation";
import { type ComponentProps, useState } from "react";

import { ForAction } from "@/components/shell/account-context";
import { announce } from "@/components/shell/announcer";
import { isFailure, useAction } from "@/components/shell/use-action";
import { Button, ButtonLink } from "@/components/ui/button";
import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { Problem } from "@/components/ui/problem";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TableSection } from "@/components/ui/table-section";
import { TimeText } from "@/components/ui/time-text";
import { formatPlural, formatCount } from "@/lib/core/format/number";
import type { ImportSummary, ShownTagImport } from "@/lib/pages/annotations/import";
import {
  applyImport,
  checkImport,
  sendImportPart,
  startImport,
  undoTagImportAction,
} from "@/lib/pages/annotations/import-actions";
import type { ActionFailure } from "@/lib/pages/shell/act";

import { FileChoice } from "./file-choice";

import "./import-form.css";

interface CheckedFiles {
  readonly id: string;
  readonly summary: ImportSummary;
}

type Stage =
  | { readonly kind: "sending"; readonly share: number }
  | ({ readonly kind: "checked" | "importing" } & CheckedFiles)
  | { readonly kind: "done"; readonly summary: ImportSummary }
  | { readonly kind: "failed"; readonly message: string };

export function ImportForm() {
  const [stage, setStage] = useState<Stage | null>(null);
  const [names, setNames] = useState<readonly string[]>([]);
  const attempt = async (first: Stage, work: () => Promise<Stage | ActionFailure>): Promise<void> => {
    setStage(first);
    const next = await work().catch(describeNoAnswer);
    setStage(isFailure(next) ? { kind: "failed", message: next.message } : next);
  };
  const check = (files: readonly File[]) => {
    setNames(files.map(({ name }) => name));
    return attempt({ kind: "sending", share: 0 }, () =>
      sendFiles(files, (share) => setStage({ kind: "sending", share })),
    );
  };
  const apply = (files: CheckedFiles) =>
    attempt({ kind: "importing", ...files }, async () => {
      const summary = await applyImport(files.id);
      return isFailure(summary) ? summary : { kind: "done", summary };
    });
  const kind = stage?.kind;
  return (
    <div className="import-form">
      <p>
        <FileChoice
          label="Files"
          names={names}
          accept=".jsonl,.ndjson,application/x-ndjson"
          multiple
          disabled={kind === "sending" || kind === "importing"}
          onChoose={(files) => void check(files)}
        />
        <span className="caption">
          JSON Lines from Assay, in one file or one per reviewer, or tags of another tool. Files are checked
          first; nothing is written until you confirm.
        </span>
      </p>
      {stage === null ? <p role="status" /> : <Progress stage={stage} onApply={apply} />}
    </div>
  );
}

interface ProgressProps {
  readonly stage: Stage;
  readonly onApply: (files: CheckedFiles) => Promise<void>;
}

function Progress({ stage, onApply }: ProgressProps) {
  return (
    <>
      <p role="status">{describeStage(stage)}</p>
      {stage.kind === "sending" ? <progress aria-label="Files sent" value={stage.share} max={1} /> : null}
      <Problem>{stage.kind === "failed" ? stage.message : null}</Problem>
      {"summary" in stage ? <ImportReportView summary={stage.summary} /> : null}
      {stage.kind === "checked" || stage.kind === "importing" ? (
        <ApplyButton
          summary={stage.summary}
          isBusy={stage.kind === "importing"}
          onApply={() => void onApply(stage)}
        />
      ) : null}
      {stage.kind === "done" ? <ButtonLink href="/annotations">Open the annotations</ButtonLink> : null}
    </>
  );
}

function describeNoAnswer(error: unknown): Stage {
  const why = error instanceof Error ? error.message : "";
  return { kind: "failed", message: `The server did not respond. Choose the files again. ${why}`.trim() };
}

function describeStage(stage: Stage): string {
  switch (stage.kind) {
    case "failed":
      return "";
    case "sending":
      return "Checking…";
    case "importing":
      return "Importing…";
    case "checked":
      return stage.summary.nErrors > 0
        ? `Fix ${formatPlural(stage.summary.nErrors, "invalid line")} before importing.`
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

interface ApplyProps {
  readonly summary: ImportSummary;
  readonly isBusy: boolean;
  readonly onApply: () => void;
}

function ApplyButton({ summary, isBusy, onApply }: ApplyProps) {
  const added = listAdded(summary);
  if (summary.nErrors > 0 || added.length === 0) return null;
  return (
    <Button look="main" disabled={isBusy} onClick={onApply}>
      Import {added.join(", ")}
    </Button>
  );
}

const WIDE = { className: "import-report-text" };
const PLACE = column<Pick<ImportSummary["errors"][number], "file" | "line">>(
  "Line",
  ({ file, line }) => `${file}:${String(line)}`,
  { className: "num" },
);
const ERROR_COLUMNS: readonly DataColumn<ImportSummary["errors"][number]>[] = [
  PLACE,
  column("Problem and fix", ({ message }) => message, WIDE),
];
const CONFLICT_COLUMNS: readonly DataColumn<ImportSummary["conflicts"][number]>[] = [
  PLACE,
  column("Reviewer", ({ reviewerId }) => reviewerId),
  column(
    "Trial",
    ({ trialName, jobName }) => (
      <>
        {trialName} {jobName === "" ? null : <span className="muted">of {jobName}</span>}
      </>
    ),
    WIDE,
  ),
  column("What happens", ({ message }) => message, WIDE),
];

function ImportReportView({ summary }: { summary: ImportSummary }) {
  const { errors, conflicts, nErrors, nConflicts } = summary;
  return (
    <>
      <dl className="import-report-counts">
        {listCounts(summary).map(([name, count, about]) => (
          <div key={name}>
            <dt className="muted">{name}</dt>
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
      <Listed caption="Invalid lines" columns={ERROR_COLUMNS} rows={errors} total={nErrors} />
      <Listed caption="Conflicts" columns={CONFLICT_COLUMNS} rows={conflicts} total={nConflicts} />
    </>
  );
}

function Listed<Row extends object>({
  rows,
  total,
  ...table
}: Omit<ComponentProps<typeof DataTable<Row>>, "rowKey"> & { total: number }) {
  if (rows.length === 0) return null;
  return (
    <>
      <DataTable rows={rows} rowKey={(_, index) => index} {...table} />
      <CutNote shown={rows.length} total={total} />
    </>
  );
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

/** Sends files in parts and has them checked; `onProgress` gets the sent share, from 0 to 1. */
async function sendFiles(
  files: readonly File[],
  onProgress: (share: number) => void,
): Promise<Stage | ActionFailure> {
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
  return isFailure(summary) ? summary : { kind: "checked", id, summary };
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

const MOST_SOURCES = 10;

const TAG_COLUMNS: readonly DataColumn<ShownTagImport>[] = [
  column(
    "Tools",
    ({ sources }) =>
      sources.slice(0, MOST_SOURCES).join(", ") +
      (sources.length > MOST_SOURCES
        ? ` and ${formatPlural(sources.length - MOST_SOURCES, "more tool")}`
        : ""),
    { className: "wrap" },
  ),
  column("Tags", ({ nTags }) => formatCount(nTags), { numeric: true }),
  column("Imported", ({ author, at }) => (
    <>
      {author === "" ? null : `${author}, `}
      <TimeText time={at} />
    </>
  )),
  {
    id: "undo",
    header: <span className="screen-reader">Undo</span>,
    cell: (one) =>
      one.mayUndo ? (
        <ForAction action="undoTagImportAction">
          <UndoButton of={one} />
        </ForAction>
      ) : null,
  },
];

export function TagImports({ imports }: { imports: readonly ShownTagImport[] }) {
  if (imports.length === 0) return null;
  return (
    <TableSection
      title="Imported tags"
      caption="Imports of tags"
      note="Undo an import as a whole, in the browser that made it"
      className=""
      most={50}
      columns={TAG_COLUMNS}
      rows={imports}
      rowKey={({ importId }) => importId}
    />
  );
}

function UndoButton({ of: { importId, nTags } }: { of: ShownTagImport }) {
  const router = useRouter();
  const { isPending, run } = useAction({ isAnnounced: true });
  return (
    <Button
      look="bare"
      disabled={isPending}
      aria-label={`Undo the import of ${formatPlural(nTags, "tag")}`}
      onClick={() =>
        run(
          () => undoTagImportAction(importId),
          () => {
            announce("Import undone. Its tags no longer count.");
            router.refresh();
          },
        )
      }
    >
      Undo
    </Button>
  );
}
