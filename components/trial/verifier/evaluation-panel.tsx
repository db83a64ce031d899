import { Download } from "lucide-react";

import { CopyButton } from "@/components/ui/copy-button";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import { withBasePath } from "@/lib/core/domain/base-path";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import type { Provenance, ShownEvaluation } from "@/lib/core/trial-evaluation";
import { evaluationFileHref, openTrialHref, type OpenTrial } from "@/lib/pages/trial/address";

type Stated = NonNullable<ShownEvaluation["stated"]>;

export function EvaluationPanel({ shown, place }: { shown: ShownEvaluation; place: OpenTrial }) {
  const { stated } = shown;
  return (
    <div className="evaluation">
      {stated !== null && shown.isPartial ? (
        <Notice title="Partial evaluation">
          The evaluation contract requires a yes or no for every validity gate, and no file states{" "}
          {GATES.filter((name) => stated.validity[name] === null).join(" or ")}. Unknown is null in the JSON.
        </Notice>
      ) : null}
      {stated === null ? (
        <Notice title="No evaluation">
          The evaluation contract has no result for this trial. This is neither a reward of 0 nor a failure.
        </Notice>
      ) : null}
      {shown.issues.length === 0 ? null : (
        <DataTable
          caption={`${formatCount(shown.nIssues)} issues of the evaluation`}
          className="table-compact"
          columns={makeFaultColumns(place)}
          rows={shown.issues}
          rowKey={(_, at) => at}
        />
      )}
      {stated === null ? null : (
        <DataTable
          caption="EvaluationResult"
          className="table-compact"
          columns={makeFieldColumns(place)}
          rows={listFields(stated, shown)}
          rowKey={({ name }) => name}
        />
      )}
      {shown.cutNote === null ? null : <p className="caption table-note">{shown.cutNote}</p>}
      <section aria-label="As JSON">
        <div className="flow file-head">
          <h3 className="grow">As JSON</h3>
          <CopyButton text={shown.json} label="Copy the JSON">
            Copy
          </CopyButton>
          <a
            className="button button-bare"
            href={withBasePath(evaluationFileHref(place.jobKey, place.trialKey))}
            download
          >
            <Download size={14} aria-hidden />
            Download
          </a>
        </div>
        <pre className="step-pre evaluation-json" tabIndex={0}>
          {shown.json}
        </pre>
        {shown.isJsonCut ? <p className="caption">Shortened; download for all.</p> : null}
      </section>
    </div>
  );
}

const GATES = ["output_parseable", "schema_valid", "verifier_completed"] as const;

interface Field {
  readonly name: string;
  readonly value: string | null;
  readonly origin: Provenance;
}

/** Values are those of the JSON; long lists and texts are cut. */
function listFields(stated: Stated, { provenance, nBreakdown, reward }: ShownEvaluation): readonly Field[] {
  const { validity, error_taxonomy: tags, confidence, annotations } = stated;
  const nTags = tags?.length ?? null;
  return [
    { name: "reward", value: reward, origin: provenance.reward },
    ...GATES.map((name) => ({
      name,
      value: validity[name] === null ? null : String(validity[name]),
      origin: provenance[name],
    })),
    { name: "errors", value: validity.errors.join("; ") || "none", origin: provenance.verifier_completed },
    {
      name: "breakdown",
      value: nBreakdown === null ? null : formatPlural(nBreakdown, "entry", "entries"),
      origin: provenance.breakdown,
    },
    {
      name: "error_taxonomy",
      value:
        nTags === 0
          ? "none found"
          : (tags?.map(({ category, source }) => `${category} (${source})`).join(", ") ?? null),
      origin: mergeOrigins(
        provenance.error_taxonomy,
        nTags === null ? "Not checked for errors." : "Checked, none found.",
      ),
    },
    {
      name: "confidence",
      value: confidence === null ? null : describeConfidence(confidence),
      origin: provenance.confidence,
    },
    {
      name: "annotations",
      value:
        annotations?.map(({ reviewer_id, judgment }) => `${reviewer_id}: ${judgment}`).join(", ") ?? null,
      origin: mergeOrigins(provenance.annotations, "Not reviewed."),
    },
  ];
}

function mergeOrigins(origins: readonly Provenance[], whenNone: string): Provenance {
  const files = [...new Set(origins.flatMap(({ from }) => from ?? []))];
  const rules = [...new Set(origins.map(({ rule }) => rule))];
  return { from: files.length === 0 ? null : files.join(", "), rule: rules.join(" ") || whenNone };
}

function describeConfidence(confidence: NonNullable<Stated["confidence"]>): string {
  const { annotator_count: count, inter_rater_agreement: agreement, confidence_method: method } = confidence;
  const parts = [
    count === null ? null : formatPlural(count, "annotator"),
    agreement === null ? null : `agreement ${agreement}`,
    method,
  ];
  return parts.filter((text) => text !== null).join(", ");
}

function makeFieldColumns(place: OpenTrial): readonly DataColumn<Field>[] {
  return [
    column("Field", ({ name }) => <code>{name}</code>, { className: "name", width: 148 }),
    column("Value", ({ value }) => value ?? <Unknown>unknown</Unknown>, { className: "wrap" }),
    column("From", ({ origin }) => <Origin from={origin.from} place={place} />, { className: "wrap" }),
    column("How", ({ origin }) => origin.rule, { className: "wrap muted" }),
  ];
}

function makeFaultColumns(place: OpenTrial): readonly DataColumn<ShownEvaluation["issues"][number]>[] {
  return [
    column("Issue", ({ code }) => <code>{code}</code>, { width: 180 }),
    column("Field", ({ field }) => (field === "" ? "whole result" : <code>{field}</code>)),
    column("Problem", ({ message }) => message, { className: "wrap" }),
    column("Raw file", ({ file }) => <Origin from={file} place={place} />),
  ];
}

/** Longer paths wrap, so that other columns keep their width. */
const LONG_PATH = 36;

function Origin({ from, place }: { from: string | null; place: OpenTrial }) {
  if (from === null) return <Unknown />;
  if (from === "assay") return "judgments in Assay";
  if (from.includes(", ")) return from;
  return (
    <Link
      className={from.length > LONG_PATH ? undefined : "nowrap"}
      href={openTrialHref(place, { tab: "files", file: from })}
      mode="stay"
    >
      {from}
    </Link>
  );
}
