import { Download } from "lucide-react";
import type { ReactNode } from "react";

import { evaluationFileHref, trialPageHref } from "@/lib/addresses/trial";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { SoftLink } from "@/components/ui/soft-link";
import { Table } from "@/components/ui/table";
import { formatCount, formatPlural, MISSING } from "@/lib/format/number";
import type { Provenance, ShownEvaluation } from "@/lib/trial-evaluation";

type Stated = NonNullable<ShownEvaluation["stated"]>;

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
export function EvaluationPanel({ shown, place }: { shown: ShownEvaluation; place: Place }) {
  const { stated } = shown;
  return (
    <div className="evaluation">
      {stated !== null && shown.isPartial ? (
        <Notice title="Partial evaluation">
          The evaluation contract needs a yes or no for every validity gate, and no file states{" "}
          {GATES.filter((name) => stated.validity[name] === null).join(" or ")}. Unknown is null in the JSON.
        </Notice>
      ) : null}
      {stated === null ? (
        <Notice title="No evaluation">
          The evaluation contract has no result for this trial, which is neither a reward of 0 nor a failure.
        </Notice>
      ) : null}
      {shown.issues.length === 0 ? null : <FaultTable shown={shown} place={place} />}
      {stated === null ? null : (
        <Table caption="EvaluationResult" columns={COLUMNS} compact>
          <tbody>
            <FieldRows stated={stated} shown={shown} place={place} />
          </tbody>
        </Table>
      )}
      {shown.cutNote === null ? null : <p className="caption table-note">{shown.cutNote}</p>}
      <section aria-label="As JSON">
        <div className="file-head">
          <h3 className="grow">As JSON</h3>
          <CopyButton text={shown.json} label="Copy the JSON">
            Copy
          </CopyButton>
          <a className="button button-bare" href={evaluationFileHref(place.jobKey, place.trialKey)} download>
            <Download size={14} aria-hidden />
            Download
          </a>
        </div>
        <pre className="step-pre evaluation-json" tabIndex={0}>
          {shown.json}
        </pre>
        {shown.isJsonCut ? <p className="caption">Shortened here; the download has all of it.</p> : null}
      </section>
    </div>
  );
}

const GATES = ["output_parseable", "schema_valid", "verifier_completed"] as const;

/** Every value is one that the JSON has there, of long lists and texts the beginning. */
function FieldRows({ stated, shown, place }: { stated: Stated; shown: ShownEvaluation; place: Place }) {
  const { provenance, nBreakdown } = shown;
  const { validity, error_taxonomy: tags, confidence, annotations } = stated;
  const tagFiles = mergeOrigins(
    provenance.error_taxonomy,
    tags === null ? "Not checked for errors." : "Checked, none found.",
  );
  return (
    <>
      <FieldRow name="reward" origin={provenance.reward} place={place}>
        {shown.reward}
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
        {nBreakdown === null ? null : formatPlural(nBreakdown, "entry", "entries")}
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
        origin={mergeOrigins(provenance.annotations, "Not reviewed.")}
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

function describeConfidence(confidence: NonNullable<Stated["confidence"]>) {
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
  { id: "message", label: "Problem" },
  { id: "file", label: "Raw file" },
];

function FaultTable({ shown: { issues, nIssues }, place }: { shown: ShownEvaluation; place: Place }) {
  return (
    <Table caption={`${formatCount(nIssues)} issues of the evaluation`} columns={FAULT_COLUMNS} compact>
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
