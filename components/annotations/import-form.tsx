"use client";

import { useState } from "react";

import { Button, ButtonLink } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";
import { formatPlural } from "@/lib/core/format/number";
import type { ImportSummary } from "@/lib/pages/annotations/import";
import { applyImport } from "@/lib/pages/annotations/import-actions";

import { FileChoice } from "./file-choice";
import { ImportReportView } from "./import-report";
import { type CheckedFiles, sendFiles } from "./send-files";

import "./import-form.css";

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
        const answer = await sendFiles(files, (share) => setStage({ kind: "sending", share }));
        return answer.status === "failed"
          ? { kind: "failed", message: answer.message }
          : { kind: "checked", files: answer.value };
      }),
    );
  };
  const apply = async (files: CheckedFiles) => {
    setStage({ kind: "importing", files });
    setStage(
      await attempt(async () => {
        const answer = await applyImport(files.id);
        return answer.status === "failed"
          ? { kind: "failed", message: answer.message }
          : { kind: "done", summary: answer.value };
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
          JSON Lines as Assay exports them, one file or one per reviewer, or tags of another tool. They are
          checked first; nothing is written before you say so.
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
    return { kind: "failed", message: `The server did not answer. Choose the files again. ${why}`.trim() };
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
        ? `Nothing can be imported before ${formatPlural(stage.files.summary.nErrors, "wrong line")} ${stage.files.summary.nErrors === 1 ? "is" : "are"} corrected.`
        : "Checked. Nothing is written yet.";
    case "done":
      return stage.summary.state === "done"
        ? `Imported ${countNew(stage.summary)}.`
        : "Nothing was imported: lines are wrong.";
  }
}

function countNew(summary: ImportSummary): string {
  const { nNew, nNewDecisions, nNewQueues, nNewTags, nNewAnswers, nNewNotes, nWithdrawn } = summary;
  const parts = [
    ...(nNewDecisions > 0 ? [formatPlural(nNewDecisions, "decision")] : []),
    ...(nNewQueues > 0 ? [formatPlural(nNewQueues, "queue")] : []),
    ...(nNewTags > 0 ? [formatPlural(nNewTags, "tag")] : []),
    ...(nNewAnswers > 0 ? [formatPlural(nNewAnswers, "answer")] : []),
    ...(nNewNotes > 0 ? [formatPlural(nNewNotes, "name or dismissal", "names and dismissals")] : []),
    ...(nWithdrawn > 0 ? [formatPlural(nWithdrawn, "undo", "undos")] : []),
  ];
  return nNew > 0 || parts.length === 0
    ? [formatPlural(nNew, "judgment"), ...parts].join(", ")
    : parts.join(", ");
}

function addsAnything(summary: ImportSummary): boolean {
  const { nNew, nNewDecisions, nNewQueues, nNewTags, nNewAnswers, nNewNotes, nWithdrawn } = summary;
  return nNew + nNewDecisions + nNewQueues + nNewTags + nNewAnswers + nNewNotes + nWithdrawn > 0;
}

function ApplyButton({
  stage,
  onApply,
}: {
  stage: Extract<Stage, { kind: "checked" | "importing" }>;
  onApply: (files: CheckedFiles) => Promise<void>;
}) {
  const { files } = stage;
  if (files.summary.nErrors > 0 || !addsAnything(files.summary)) return null;
  return (
    <Button look="main" disabled={stage.kind === "importing"} onClick={() => void onApply(files)}>
      Import {countNew(files.summary)}
    </Button>
  );
}
