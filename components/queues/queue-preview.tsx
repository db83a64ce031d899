import { isFailure } from "@/components/shell/use-action";
import { AgentName } from "@/components/ui/agent-name";
import { DataTable } from "@/components/ui/data-table";
import { column, type DataColumn } from "@/components/ui/table-columns";
import type { QueueGoal, SampleMethod } from "@/lib/core/domain/review";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import type { QueuePreview } from "@/lib/pages/queues/new-queue";
import type { ActionFailure } from "@/lib/pages/shell/act";

const COLUMNS: readonly DataColumn<QueuePreview["parts"][number]>[] = [
  column("Agent", (part) => <AgentName {...part} />),
  column("Outcome", ({ hasPassed }) =>
    hasPassed === null ? "unscored" : hasPassed ? "passed" : "not passed",
  ),
  column("Takes", ({ nDrawn }) => formatCount(nDrawn), { numeric: true }),
  column("Of", ({ nPool }) => formatCount(nPool), { numeric: true, className: "muted" }),
];

export function QueuePreviewPanel({
  result: preview,
  method,
  goal,
}: {
  result: QueuePreview | ActionFailure | null;
  method: SampleMethod;
  goal: QueueGoal;
}) {
  if (preview === null) return <p role="status">Counting trials…</p>;
  if (isFailure(preview))
    return (
      <p role="status" className="problem">
        {preview.message}
      </p>
    );
  return (
    <>
      <p role="status">
        {describePreview(preview, method)}
        {goal === "corrected-score" && preview.noCorrection !== null ? (
          <b className="queue-warning">{preview.noCorrection}</b>
        ) : null}
      </p>
      {preview.nDrawn === 0 || preview.nDrawn > preview.most ? null : (
        <DataTable
          caption="Queue preview"
          className="table-compact"
          columns={COLUMNS}
          rows={preview.parts}
          rowKey={({ agent, model, hasPassed }) => JSON.stringify([agent, model, hasPassed])}
        />
      )}
      {preview.parts.length < preview.nParts ? (
        <p className="caption">
          {formatPlural(preview.nParts, "agent and outcome", "agents and outcomes")}, the first{" "}
          {formatCount(preview.parts.length)} are shown.
        </p>
      ) : null}
    </>
  );
}

function describePreview(preview: QueuePreview, method: SampleMethod): string {
  const { nMatching, nPool, nDrawn, nDouble, nClusters } = preview;
  const match = `${formatPlural(nMatching, "finished trial")} ${nMatching === 1 ? "matches" : "match"}`;
  if (nMatching === 0) return "No finished trial matches.";
  if (nPool === 0) return `${match}; ${WITHOUT[method] ?? "none can be chosen"}.`;
  if (nDrawn === 0) return `${match}; none is left to choose.`;
  if (nDrawn > preview.most)
    return `${match}; a queue has at most ${formatCount(preview.most)} trials. Choose a sample of them.`;
  const pool = nPool === nMatching ? "" : ` ${formatCount(nPool)} of them can be chosen.`;
  const clusters = nClusters === null ? "" : ` They fall into ${formatPlural(nClusters, "failure cluster")}.`;
  const twice =
    nDouble === 0 ? "" : ` ${formatCount(nDouble)} ${nDouble === 1 ? "is" : "are"} reviewed twice.`;
  const taken = nDrawn === nMatching ? "all of them" : `${formatCount(nDrawn)} of them`;
  return `${match}; this queue takes ${taken}${describeEach(preview)}.${pool}${clusters}${twice}`;
}

function describeEach({ parts, nParts }: QueuePreview): string {
  const [first] = parts;
  const isEven =
    nParts > 1 && parts.length === nParts && parts.every((part) => part.nDrawn === first?.nDrawn);
  return isEven && first !== undefined ? `: ${formatCount(first.nDrawn)} of each agent and outcome` : "";
}

const WITHOUT: Readonly<Partial<Record<SampleMethod, string>>> = {
  stratified: "none has a reward or an exception",
  planned: "none has a reward or an exception",
  disagreements: "no reviewer differs from the verifier or another reviewer",
  flaky: "none belongs to a flaky task",
  clusters: "none failed",
};
