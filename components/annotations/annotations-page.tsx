import { Download, ChevronDown, ChevronUp } from "lucide-react";
import { Fragment, type ReactNode } from "react";

import { DownloadLinks } from "@/components/jobs/download-menu";
import { ReviewThese } from "@/components/queues/review-these";
import { ForAction } from "@/components/shell/account-context";
import { CommandKey } from "@/components/shell/command-key";
import { PageFrame } from "@/components/shell/page-frame";
import { REVIEW } from "@/components/shell/places";
import { AgentName } from "@/components/ui/agent-name";
import { ButtonLink } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { facetsOf } from "@/components/ui/facets-of";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { FoldedName } from "@/components/ui/folded-name";
import { Link } from "@/components/ui/link";
import { Menu } from "@/components/ui/menu";
import { type Filter, type Filtered, NoMatches } from "@/components/ui/no-matches";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { listColumns, column, type DataColumn } from "@/components/ui/table-columns";
import { Tabs } from "@/components/ui/tabs";
import { TimeText } from "@/components/ui/time-text";
import { Unknown } from "@/components/ui/values";
import { StoreError } from "@/lib/core/domain/app-error";
import type { RecordedJudgment } from "@/lib/core/domain/judgment";
import type { Outcome } from "@/lib/core/domain/trial";
import { JUDGMENT_COLUMNS } from "@/lib/core/fields/judgments.fields";
import { formatPlural, MISSING, formatCount } from "@/lib/core/format/number";
import { findSharedPrefix } from "@/lib/core/format/shared-prefix";
import { formatTask, OUTCOME_WORDS } from "@/lib/core/format/words";
import { trialHref } from "@/lib/pages/address/href";
import {
  annotationsHref,
  type AnnotationsParams,
  exportHref,
  type ExportParams,
  recordedHref,
} from "@/lib/pages/annotations/address";
import type { AnnotationsPage, AnnotationRow } from "@/lib/pages/annotations/page";
import type { RecordedPage } from "@/lib/pages/annotations/recorded";
import {
  CODEBOOK_HREF,
  conflictsHref,
  QUEUES_HREF,
  verifierHref,
} from "@/lib/pages/annotations/review-address";
import { taxonomyHref } from "@/lib/pages/taxonomy/address";
import type { ShownChains } from "@/lib/people/annotations";
import type { RecordedTotals } from "@/lib/store/tables";

import { RecordedVerdict, Versions } from "./history";
import {
  JUDGMENT_WORDS,
  STANDING_WORDS,
  OutcomeWithReward,
  AnnotationTime,
  JudgmentWord,
  RECORDED_WORDS,
} from "./judgment-words";

import "@/components/jobs/download-menu.css";
import "./annotations-table.css";

interface AnnotationsTabsProps {
  readonly current: "saved" | "queues" | "conflicts" | "verifier" | "codebook" | "recorded";
  readonly totals: RecordedTotals;
  /** Null or absent means unknown, which is not 0. The same holds for queues. */
  readonly nSaved?: number | null;
  readonly nQueues?: number | null;
}

export function AnnotationsTabs({ current, totals, nSaved = null, nQueues = null }: AnnotationsTabsProps) {
  return (
    <Tabs
      label="Parts of the review"
      current={current}
      tabs={[
        { id: "queues", label: "Queues", href: QUEUES_HREF, count: nQueues },
        { id: "saved", label: "Judgments", href: "/annotations", count: nSaved },
        { id: "conflicts", label: "Conflicts", href: conflictsHref({}) },
        { id: "verifier", label: "Verifier accuracy", href: verifierHref({}) },
        { id: "codebook", label: "Codebook", href: CODEBOOK_HREF },
        { id: "taxonomy", label: "Taxonomy", href: taxonomyHref({}) },
        ...(totals.nJudgments === 0
          ? []
          : [
              {
                id: "recorded",
                label: "Recorded in files",
                href: recordedHref(null),
                count: totals.nJudgments,
              },
            ]),
      ]}
    />
  );
}

const FACETS = [
  ["Judgment", "judgments"],
  ["Standing", "standings"],
  ["Reviewer", "reviewers"],
  ["Category", "categories"],
  ["Job", "jobs"],
] as const;

const WORDS: Readonly<Record<string, string>> = { ...JUDGMENT_WORDS, ...STANDING_WORDS };

function nameValue(value: string): string {
  return Object.hasOwn(WORDS, value) ? (WORDS[value] ?? value) : value;
}

export function AnnotationsFilters({ page, params }: { page: AnnotationsPage; params: AnnotationsParams }) {
  const facet = facetsOf(params, (change) => annotationsHref(params, change));
  return (
    <FilterBar count={formatPlural(page.place.nMatching, "judgment")}>
      <FilterText label="Filter by task, note, name" />
      {FACETS.map(([label, name]) => (
        <Fragment key={name}>{facet(label, name, page.facets[name], nameValue)}</Fragment>
      ))}
    </FilterBar>
  );
}

const FILTERS: readonly Filter<AnnotationsParams>[] = [
  ["Text", { text: "" }],
  ...FACETS.map(([label, name]): Filter<AnnotationsParams> => [label, { [name]: [] }]),
];

export function NoAnnotationMatches(list: Filtered<AnnotationsParams>) {
  return <NoMatches {...list} noun="judgment" filters={FILTERS} hrefOf={annotationsHref} />;
}

export function NoAnnotations() {
  return (
    <Notice title="No trials reviewed yet" actions={<ButtonLink href={"/"}>Open the jobs</ButtonLink>}>
      <p>
        Open any trial of a job. In the review form, choose pass, fail or defer (
        <CommandKey id="review.pass" /> <CommandKey id="review.fail" /> <CommandKey id="review.defer" />
        ), categories and a note; <CommandKey id="review.saveNext" /> saves and opens the next trial that you
        have not reviewed.
      </p>
      <p>Judgments are stored outside the job folders and never change a reward.</p>
    </Notice>
  );
}

interface AnnotationsActionsProps {
  readonly params: AnnotationsParams;
  readonly nMatching: number;
  readonly nAnnotations: number;
}

export function AnnotationsActions({ params, nMatching, nAnnotations }: AnnotationsActionsProps) {
  const [, query = ""] = annotationsHref({ ...params, open: "", page: 1 }).split("?");
  return (
    <>
      {/* An empty query would name no list. */}
      {nAnnotations === 0 ? null : (
        <ReviewThese address={{ judged: query === "" ? "page=1" : query }} nTrials={nMatching} />
      )}
      <ForAction action="applyImport">
        <ButtonLink href="/annotations/import">Import</ButtonLink>
      </ForAction>
      {nAnnotations === 0 ? null : <ExportMenu />}
    </>
  );
}

export async function drawUnlessUnreadable(title: string, draw: () => Promise<ReactNode>) {
  try {
    return await draw();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return (
      <PageFrame crumbs={[REVIEW, { label: title }]}>
        <PageTitle title={title} />
        <UnreadableNotice code={error.code} problem={error.message} />
      </PageFrame>
    );
  }
}

export function UnreadableNotice({ code, problem }: { code: string; problem: string }) {
  return (
    <Notice
      title={code === "queue_unreadable" ? "The queue cannot be read" : "The annotations cannot be read"}
      tone="error"
      actions={
        code === "store_corrupt" ? (
          <ButtonLink href={"/annotations/export?history=1"} download>
            Export what can still be read
          </ButtonLink>
        ) : code === "queue_unreadable" ? (
          <ButtonLink href={QUEUES_HREF}>All queues</ButtonLink>
        ) : undefined
      }
    >
      {problem}
    </Notice>
  );
}

const EXPORTS: readonly (readonly [name: string, use: string, params: Partial<ExportParams>])[] = [
  ["JSON Lines", "what counts", {}],
  ["JSON Lines with history", "every version", { history: true }],
  ["CSV", "for spreadsheets", { format: "csv" }],
  ["Parquet", "typed columns", { format: "parquet" }],
  ["Langfuse scores", "trials with an id", { format: "langfuse" }],
  ["Label Studio tasks", "trials to label", { format: "label-studio" }],
  ["Label Studio configuration", "the codebook", { format: "label-studio-config" }],
];

export function ExportMenu() {
  return (
    <Menu className="download-menu" icon={Download} label="Export">
      <DownloadLinks
        links={EXPORTS.map(([name, use, params]) => ({ name, use, href: exportHref(params) }))}
      />
    </Menu>
  );
}

interface JudgmentLine {
  readonly taskName: string;
  readonly prefix: string;
  readonly trialName: string;
  readonly jobName: string;
  readonly trial: { readonly jobKey: string; readonly key: string; readonly attempt: number } | null;
  readonly identity: number;
  readonly agent: string;
  readonly model: string | null;
  readonly outcome: Outcome;
  readonly reward: string | null;
  /** The outcome that the reviewer saw, if it has changed since. */
  readonly seen: string | null;
  readonly judgment: ReactNode;
  readonly categories: string;
  readonly notes: string;
  readonly reviewerId: string | null;
  readonly discipline: string | null;
}

const JUDGMENT_LIST = listColumns<JudgmentLine, keyof typeof JUDGMENT_COLUMNS>(JUDGMENT_COLUMNS, {
  task: (line) => <Place {...line} />,
  agent: ({ identity, agent, model }) => <AgentName identity={identity} agent={agent} model={model} />,
  verifier: ({ outcome, reward, trial, seen }) => (
    <>
      <OutcomeWithReward
        outcome={outcome}
        reward={reward}
        title={trial === null ? "Outcome at review" : undefined}
      />
      {seen === null ? null : (
        <span className="muted" title="The outcome or reward changed after the judgment">
          {` was ${seen}`}
        </span>
      )}
    </>
  ),
  judgment: ({ judgment }) => judgment,
  reason: ({ categories, notes }) => (
    <span className="cut" title={[categories, notes].filter(Boolean).join("\n")}>
      {categories === "" ? null : <b>{categories}</b>}
      {categories !== "" && notes !== "" ? ", " : null}
      {categories === "" && notes === "" ? MISSING : notes}
    </span>
  ),
  reviewer: ({ reviewerId, discipline }) =>
    reviewerId === null ? (
      <Unknown />
    ) : (
      <span title={[reviewerId, discipline].filter(Boolean).join(", ")}>{reviewerId}</span>
    ),
});

function Place({ taskName, prefix, trialName, jobName, trial }: JudgmentLine) {
  const name = formatTask({ taskName, trialName });
  return (
    <span className="row annotation-trial">
      {trial === null ? (
        <span className="annotation-lost muted cut" title={trialName}>
          <FoldedName name={name} prefix={prefix} />
        </span>
      ) : (
        <Link className="cut" href={trialHref(trial.jobKey, trial.key)} data-row-link="" title={trialName}>
          <FoldedName name={name} prefix={prefix} />
        </Link>
      )}
      <span className="muted cut" title={jobName}>
        {trial === null
          ? `trial not found, was in ${jobName}`
          : `attempt ${String(trial.attempt)}, ${jobName}`}
      </span>
    </span>
  );
}

interface AnnotationLine extends JudgmentLine {
  readonly row: AnnotationRow;
}

function listAnnotationColumns(params: AnnotationsParams): readonly DataColumn<AnnotationLine>[] {
  return [
    ...JUDGMENT_LIST,
    column("Saved", ({ row }) => <AnnotationTime timestamp={row.annotation.timestamp} />, {
      phone: "second",
    }),
    column(
      "Versions",
      ({ row: { annotation, nVersions } }) => {
        const isOpen = params.open === annotation.versionId;
        const Chevron = isOpen ? ChevronUp : ChevronDown;
        return (
          <Link
            href={annotationsHref(params, { open: isOpen ? "" : annotation.versionId })}
            mode="replace"
            aria-expanded={isOpen}
            aria-label={`${nVersions > 1 ? `${String(nVersions)} versions` : "Note and versions"} of ${formatTask(annotation.subject)}, ${isOpen ? "fold" : "unfold"}`}
          >
            {nVersions > 1 ? nVersions : null}
            <Chevron size={14} aria-hidden />
          </Link>
        );
      },
      { numeric: true, phone: "labelled" },
    ),
  ];
}

export function AnnotationsTable({
  rows,
  opened,
  params,
}: Pick<AnnotationsPage, "rows" | "opened"> & { params: AnnotationsParams }) {
  const prefix = findSharedPrefix(rows.map(({ annotation }) => annotation.subject.taskName));
  return (
    <DataTable
      caption="Annotations"
      className="annotations"
      columns={listAnnotationColumns(params)}
      rows={rows.map((row) => toLine(row, prefix))}
      rowKey={({ row }) => row.annotation.versionId}
      below={({ row: { annotation, found } }) =>
        opened !== null && params.open === annotation.versionId ? (
          <AnnotationVersions judged={opened} found={found} />
        ) : null
      }
    />
  );
}

function toLine(row: AnnotationRow, prefix: string): AnnotationLine {
  const { annotation, found, identity, standings } = row;
  const { subject } = annotation;
  const { outcomeSeen, rewardSeen } = subject;
  return {
    ...subject,
    prefix,
    row,
    trialName: found === null ? `${subject.trialName}, root ${subject.rootLabel}` : subject.trialName,
    trial: found,
    identity,
    outcome: found?.outcome ?? outcomeSeen,
    reward: found === null ? rewardSeen : found.reward,
    seen: standings.includes("stale") ? `${OUTCOME_WORDS[outcomeSeen]} ${rewardSeen ?? MISSING}` : null,
    judgment: (
      <>
        <JudgmentWord judgment={annotation.judgment} />
        {standings.includes("conflict") ? <span className="annotation-disagrees">conflict</span> : null}
        {standings.includes("decided") ? <Decided final={row.decided} /> : null}
        {standings.includes("disagrees") ? <span className="annotation-disagrees">disagrees</span> : null}
        {standings.includes("withdrawn") ? <span className="muted annotation-withdrawn">undone</span> : null}
      </>
    ),
    categories: cutReason(row.categories.map(describeCategory).join(", ")),
    notes: cutReason(annotation.notes ?? ""),
    reviewerId: annotation.reviewerId,
    discipline: annotation.reviewerDiscipline,
  };
}

function Decided({ final }: { final: AnnotationRow["decided"] }) {
  return <span className="annotation-disagrees">{final === null ? "left open" : `decided: ${final}`}</span>;
}

function describeCategory({ label, state }: AnnotationRow["categories"][number]): string {
  return state === "split" ? `${label} (split, choose again)` : label;
}

/** Characters of a note, and of all categories; unfolding the row loads the rest. */
const MOST_REASON = 200;

function cutReason(text: string): string {
  if (text.length <= MOST_REASON) return text;
  return `${text.slice(0, MOST_REASON).toWellFormed()}… (${formatCount(text.length)} characters)`;
}

function AnnotationVersions({ judged, found }: { judged: ShownChains; found: AnnotationRow["found"] }) {
  return (
    <div className="annotation-versions">
      <Versions
        judged={judged}
        at={found && { jobKey: found.jobKey, trialKey: found.key, list: null, queue: null }}
      />
      {found === null ? (
        <p className="muted">The trial is not in the open folders. Open its folder to restore the link.</p>
      ) : null}
    </div>
  );
}

interface RecordedLine extends JudgmentLine {
  readonly recorded: RecordedJudgment;
}

const COLUMNS: readonly DataColumn<RecordedLine>[] = [
  ...JUDGMENT_LIST,
  column(
    "Recorded as",
    ({ recorded }) => <span title={recorded.file}>{RECORDED_WORDS[recorded.kind]}</span>,
    { phone: "second" },
  ),
  column("Time", ({ recorded }) => <TimeText time={recorded.time} narrow />, { phone: "second" }),
];

export function RecordedTable({ rows }: { rows: RecordedPage["rows"] }) {
  const prefix = findSharedPrefix(rows.map(({ taskName }) => taskName));
  const lines = rows.map(({ judgment, ...row }) => ({
    ...row,
    prefix,
    trial: row,
    seen: null,
    recorded: judgment,
    judgment: <RecordedVerdict judgment={judgment} />,
    categories: judgment.categories.join(", "),
    notes: judgment.notes ?? "",
    reviewerId: judgment.reviewerId,
    discipline: judgment.discipline,
  }));
  return (
    <DataTable
      caption="Judgments recorded in files"
      columns={COLUMNS}
      rows={lines}
      rowKey={(line) => lines.indexOf(line)}
    />
  );
}
