import { Download } from "lucide-react";
import type { ReactNode } from "react";

import { evaluationFileHref, trialPageHref } from "@/app/jobs/[job]/trials/[trial]/search-params";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { SoftLink } from "@/components/ui/soft-link";
import { Table } from "@/components/ui/table";
import { formatCount, formatPlural, MISSING } from "@/lib/format/number";
import type { EvaluationPanel as PanelData } from "@/lib/queries/trial-page-evaluation";
import type { EvaluationFault, PartialEvaluation, Provenance, TrialEvaluation } from "@/lib/trial-evaluation";

type EvaluationResult = NonNullable<TrialEvaluation["evaluation"]>;

/** The trial that links lead to. */
interface Place {
  readonly jobKey: string;
  readonly trialKey: string;
}

const COLUMNS = [
  { id: "field", label: "Field", width: 148 },
  { id: "value", label: "Value" },
  { id: "from", label: "From" },
  { id: "how", label: "How" },
];

/** What the evaluation contract says of the trial, field by field, with where each comes from, and the JSON of it. */
export function EvaluationPanel({ panel, place }: { panel: PanelData; place: Place }) {
  const { result } = panel;
  const shown = result.evaluation ?? result.partial;
  return (
    <div className="evaluation">
      {result.partial === null ? null : (
        <Notice title="Partial evaluation">
          The evaluation contract needs a yes or no to every validity gate, and nothing states{" "}
          {listUnknownGates(result).join(" or ")}. Unknown is null in the JSON.
        </Notice>
      )}
      {shown === null ? (
        <Notice title="No evaluation">
          The evaluation contract has no result for this trial, which is neither a reward of 0 nor a failure.
        </Notice>
      ) : null}
      {result.issues.length === 0 ? null : <FaultTable issues={result.issues} place={place} />}
      {shown === null ? null : (
        <Table caption="EvaluationResult" columns={COLUMNS} compact>
          <tbody>
            <FieldRows shown={shown} panel={panel} place={place} />
          </tbody>
        </Table>
      )}
      <section aria-label="As JSON">
        <div className="file-head">
          <h3 className="grow">As JSON</h3>
          <CopyButton text={panel.json} label="Copy the JSON">
            Copy
          </CopyButton>
          <a className="button button-bare" href={evaluationFileHref(place.jobKey, place.trialKey)} download>
            <Download size={14} aria-hidden />
            Download
          </a>
        </div>
        <pre className="step-pre evaluation-json" tabIndex={0}>
          {panel.json}
        </pre>
        {panel.isCut ? <p className="caption">Cut here; the download has all of it.</p> : null}
      </section>
    </div>
  );
}

function listUnknownGates({ partial }: TrialEvaluation): readonly string[] {
  return partial === null ? [] : GATES.filter((name) => partial.validity[name] === null);
}

const GATES = ["output_parseable", "schema_valid", "verifier_completed"] as const;

/** Every value is the one that the JSON has there. */
function FieldRows({
  shown,
  panel,
  place,
}: {
  shown: EvaluationResult | PartialEvaluation;
  panel: PanelData;
  place: Place;
}) {
  const { provenance } = panel.result;
  const { validity, breakdown, error_taxonomy: tags, confidence, annotations } = shown;
  const nDimensions = breakdown === null ? null : Object.keys(breakdown).length;
  const tagFiles = mergeOrigins(
    provenance.error_taxonomy,
    tags === null ? "Nobody looked for errors." : "Looked for, none found.",
  );
  return (
    <>
      <FieldRow name="reward" origin={provenance.reward} place={place}>
        {panel.reward}
      </FieldRow>
      {GATES.map((name) => (
        <FieldRow key={name} name={name} origin={provenance[name]} place={place}>
          {validity[name] === null ? null : String(validity[name])}
        </FieldRow>
      ))}
      <FieldRow name="errors" origin={provenance.verifier_completed} place={place}>
        {validity.errors.length === 0 ? "none" : validity.errors.join("; ")}
      </FieldRow>
      <FieldRow name="breakdown" origin={provenance.breakdown} place={place}>
        {nDimensions === null ? null : formatPlural(nDimensions, "entry", "entries")}
      </FieldRow>
      <FieldRow name="error_taxonomy" origin={tagFiles} place={place}>
        {tags === null
          ? null
          : tags.length === 0
            ? "none found"
            : tags.map(({ category, source }) => `${category} (${source})`).join(", ")}
      </FieldRow>
      <FieldRow name="confidence" origin={provenance.confidence} place={place}>
        {confidence === null ? null : describeConfidence(confidence)}
      </FieldRow>
      <FieldRow
        name="annotations"
        origin={mergeOrigins(provenance.annotations, "Nobody judged the trial.")}
        place={place}
      >
        {annotations === null
          ? null
          : annotations.map(({ reviewer_id, judgment }) => `${reviewer_id}: ${judgment}`).join(", ")}
      </FieldRow>
    </>
  );
}

/** Longer paths, and lists of them, take several lines instead of the room of the other columns. */
const LONG_PATH = 36;

function mergeOrigins(origins: readonly Provenance[], whenNone: string): Provenance {
  const files = [...new Set(origins.flatMap(({ from }) => from ?? []))];
  const rules = [...new Set(origins.map(({ rule }) => rule))];
  return { from: files.length === 0 ? null : files.join(", "), rule: rules.join(" ") || whenNone };
}

function describeConfidence(confidence: NonNullable<EvaluationResult["confidence"]>) {
  const { annotator_count: count, inter_rater_agreement: agreement, confidence_method: method } = confidence;
  return [
    count === null ? null : formatPlural(count, "annotator"),
    agreement === null ? null : `agreement ${agreement}`,
    method,
  ]
    .filter((text) => text !== null)
    .join(", ");
}

function FieldRow({
  name,
  origin,
  place,
  children,
}: {
  name: string;
  origin: Provenance;
  place: Place;
  children: ReactNode;
}) {
  return (
    <tr>
      <td className="name">
        <code>{name}</code>
      </td>
      <td className={children === null ? "unknown" : "wrap"}>{children ?? "unknown"}</td>
      <td className={(origin.from?.length ?? 0) > LONG_PATH ? "wrap" : "nowrap"}>
        <Origin from={origin.from} place={place} />
      </td>
      <td className="wrap muted">{origin.rule}</td>
    </tr>
  );
}

function Origin({ from, place }: { from: string | null; place: Place }) {
  if (from === null) return <span className="unknown">{MISSING}</span>;
  if (from === "assay") return "judgments in Assay";
  if (from.includes(", ")) return from;
  return (
    <SoftLink href={trialPageHref(place.jobKey, place.trialKey, { tab: "files", file: from })} way="stay">
      {from}
    </SoftLink>
  );
}

const FAULT_COLUMNS = [
  { id: "code", label: "Issue", width: 180 },
  { id: "field", label: "Field" },
  { id: "message", label: "What is wrong" },
  { id: "file", label: "Raw file" },
];

function FaultTable({ issues, place }: { issues: readonly EvaluationFault[]; place: Place }) {
  return (
    <Table caption={`${formatCount(issues.length)} issues of the evaluation`} columns={FAULT_COLUMNS} compact>
      <tbody>
        {issues.map((issue, at) => (
          <tr key={at}>
            <td>
              <code>{issue.code}</code>
            </td>
            <td>{issue.field === "" ? "whole result" : <code>{issue.field}</code>}</td>
            <td className="wrap">{issue.message}</td>
            <td>
              <Origin from={issue.file} place={place} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
