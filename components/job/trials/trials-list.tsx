import type { ReactNode } from "react";

import { DownloadMenu } from "@/components/jobs/download-menu";
import { ReviewThese } from "@/components/queues/review-these";
import { TrialSelection } from "@/components/queues/trial-selection";
import { ButtonLink } from "@/components/ui/button";
import { ColumnsMenu } from "@/components/ui/columns-menu";
import { DataTable } from "@/components/ui/data-table";
import { ListFacet } from "@/components/ui/facet-menu";
import { facetsOf } from "@/components/ui/facets-of";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { Link } from "@/components/ui/link";
import { StatusWord } from "@/components/ui/mark";
import { JUDGMENT_FILTERS, VERIFIER_FILTERS } from "@/lib/core/domain/job-filter";
import type { Excerpt } from "@/lib/core/domain/search-excerpt";
import { TEXT_LIMITS } from "@/lib/core/domain/search-text";
import { TRIAL_SORTS } from "@/lib/core/fields/trials.fields";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import type { TrialsPanel } from "@/lib/pages/job/trials";
import type { VerifierDoubts } from "@/lib/pages/job/verifier-checks";
import { trialTaskHref } from "@/lib/pages/tasks/address";
import { trialPageHref } from "@/lib/pages/trial/address";
import {
  evaluationsFileHref,
  trialsFileHref,
  type TrialsParams,
  writeTrialsList,
  writeTrialsQuery,
} from "@/lib/pages/trials/address";

import { DerivedDetailsReading } from "../derived-details-reading";
import { describeMatching, FilteredRows } from "../filters";
import { listTrialColumns, listTrialLines, SELECTION_FORM, type TrialPlace, type TrialLine } from "./columns";
import { openExcerpt } from "./open-excerpt";
import { hasRange, RangeMenu } from "./range-menu";
import { ReturnToRow } from "./return-to-row";
import { JUDGMENT_WORDS, TRIAL_FILTERS, type TrialsListState, VERIFIER_WORDS } from "./trial-filters";

import "../job-page.css";

interface TrialsListProps {
  readonly caption: string;
  readonly panel: TrialsPanel;
  readonly list: TrialsListState;
  readonly doubts: VerifierDoubts | null;
  readonly describe: (row: TrialsPanel["rows"][number]) => TrialPlace;
  readonly wordForGroup: (groupKey: string) => ReactNode;
  readonly menus?: ReactNode;
  readonly note?: ReactNode;
}

export function TrialsList(props: TrialsListProps) {
  const { caption, panel, list, doubts, describe, note } = props;
  const { params, hrefOf } = list;
  return (
    <>
      <TrialFilters {...props} />
      {note}
      <SearchNote panel={panel} list={list} />
      {doubts === null && params.verifier.length > 0 ? (
        <DerivedDetailsReading what="Doubts about verifiers" />
      ) : null}
      <FilteredRows noun="trial" list={list} filters={TRIAL_FILTERS} page={panel}>
        <DataTable
          caption={caption}
          className={list.jobKey === null ? "trials-of-all-jobs" : ""}
          columns={listTrialColumns(params)}
          rows={listTrialLines(panel.rows, writeTrialsList(params), describe)}
          rowKey={({ trial, jobRowId }) => `${jobRowId} ${trial.key}`}
          wanted={params.columns}
          below={(line) => (line.excerpt === null ? null : <TrialExcerpt {...line} excerpt={line.excerpt} />)}
          order={{
            sorts: TRIAL_SORTS,
            sort: params.sort,
            descending: params.descending,
            hrefOf,
          }}
        />
      </FilteredRows>
      <ReturnToRow />
    </>
  );
}

function TaskPageLink({ panel: { rows }, tasks }: { panel: TrialsPanel; tasks: TrialsParams["tasks"] }) {
  const [first] = rows;
  if (first === undefined || tasks.length !== 1 || first.trial.taskName !== tasks[0]) return null;
  return (
    <ButtonLink look="bare" href={trialTaskHref(first.trial)}>
      Task page
    </ButtonLink>
  );
}

const SEARCH_RULE = 'Finds all words. Use "quotes" for a phrase and word* for a prefix.';
const SEARCH_HINT = `Searches tasks, messages, tool calls, errors and tests. ${SEARCH_RULE}`;
const SEARCH_HINT_OF_ALL = `Searches jobs, tasks, messages, tool calls, errors and tests. ${SEARCH_RULE}`;

function SearchNote({
  panel: {
    search: { nTrials, nSearchable, nCut },
    full,
  },
  list: { params, hrefOf },
}: Pick<TrialsListProps, "panel" | "list">) {
  const { textChars, trialChars } = TEXT_LIMITS;
  const isComplete = nSearchable >= nTrials;
  const isPartly = params.text !== "" && nCut > 0;
  if (isComplete && !isPartly) return null;
  return (
    <>
      <p className="caption table-note" role="status">
        {isComplete
          ? null
          : `${formatCount(nSearchable)} of ${formatPlural(nTrials, "trial")} searchable: messages are still being read; tasks and exceptions are ready. `}
        {isPartly && full === null ? (
          <>
            {`${formatPlural(nCut, "trial is", "trials are")} searched in part: the first ${formatCount(textChars)} characters of each message and output, ${formatCount(trialChars)} of a trial. `}
            <Link href={hrefOf({ isInFull: true })}>Search them in full</Link>
          </>
        ) : null}
        {full === null
          ? null
          : `${formatPlural(full.nSearched, "trial")} searched in full, ${full.found.length === 0 ? "no match" : formatPlural(full.found.length, "match", "matches")}${full.nLeft === 0 ? "" : `; ${formatCount(full.nLeft)} more not searched in full`}. `}
      </p>
      {full === null || full.found.length === 0 ? null : (
        <ul aria-label="Found in full">
          {full.found.map(({ row: { trial }, jobKey: key, excerpt }) => (
            <li key={`${key} ${trial.key}`}>
              <Link href={trialPageHref(key, trial.key, openExcerpt(excerpt))}>{trial.trialName}</Link>{" "}
              <TrialExcerpt jobKey={key} list={null} trial={trial} excerpt={excerpt} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function TrialFilters({ panel, list, doubts, wordForGroup, menus }: TrialsListProps) {
  const { params, jobKey, hrefOf } = list;
  const facet = facetsOf(params, hrefOf);
  return (
    <FilterBar
      count={describeMatching(panel.nMatching, panel.nTrials, "trial")}
      end={
        <>
          <TaskPageLink panel={panel} tasks={params.tasks} />
          <ColumnsMenu
            columns={listTrialColumns({ ...params, rewardKey: null })}
            wanted={params.columns}
            hrefOf={(columns) => hrefOf({ columns, page: params.page })}
          />
          <TrialSelection formId={SELECTION_FORM}>
            <ReviewThese
              address={{ job: jobKey, list: writeTrialsQuery({ ...params, columns: null }) || null }}
              nTrials={panel.nMatching}
            />
          </TrialSelection>
          <DownloadMenu
            what={panel.nMatching === panel.nTrials ? "all trials" : "these trials"}
            hrefOf={(format) => trialsFileHref(jobKey, params, format)}
            {...(jobKey === null ? {} : { evaluationsHref: evaluationsFileHref(jobKey, params) })}
          />
        </>
      }
    >
      <FilterText
        label="Search trials"
        hint={jobKey === null ? SEARCH_HINT_OF_ALL : SEARCH_HINT}
        isWide={jobKey === null}
      />
      {menus}
      {facet("Outcome", "outcomes", panel.outcomes, (outcome) => (
        <StatusWord status={outcome} />
      ))}
      {panel.groups.length > 1 ? facet("Agent", "groups", panel.groups, wordForGroup) : null}
      {facet("Exception", "exceptions", panel.exceptions)}
      <details className="filter-more" open={isNarrowed(list)}>
        <summary className="button">More filters</summary>
        {facet(
          "Judgment",
          "judgments",
          JUDGMENT_FILTERS.map((value) => ({ value, count: null })),
          (value) => JUDGMENT_WORDS[value],
        )}
        <VerifierFacet doubts={doubts} list={list} />
        {panel.scanners.length + params.scanners.length === 0
          ? null
          : facet(
              "Scanner",
              "scanners",
              panel.scanners,
              (id) => panel.scanners.find(({ value }) => value === id)?.title ?? id,
            )}
        {panel.rewardKeys.length > 1 ? (
          <ListFacet
            label="Reward key"
            values={panel.rewardKeys}
            chosen={params.rewardKey === null ? [] : [params.rewardKey]}
            hrefOf={(chosen) => hrefOf({ rewardKey: chosen.at(-1) ?? null })}
          />
        ) : null}
        <RangeMenu list={list} />
      </details>
    </FilterBar>
  );
}

function isNarrowed({ params }: TrialsListState): boolean {
  const { judgments, verifier, scanners, rewardKey } = params;
  return judgments.length + verifier.length + scanners.length > 0 || rewardKey !== null || hasRange(params);
}

function VerifierFacet({ doubts, list }: Pick<TrialsListProps, "doubts" | "list">) {
  const counts = { suspect: doubts?.nSuspects ?? null, nondeterministic: doubts?.nNondeterministic ?? null };
  const values = VERIFIER_FILTERS.map((value) => ({ value, count: counts[value] }));
  const isAny = values.some(({ value, count }) => (count ?? 0) > 0 || list.params.verifier.includes(value));
  if (!isAny) return null;
  const facet = facetsOf(list.params, list.hrefOf);
  return facet("Verifier", "verifier", values, (value) => VERIFIER_WORDS[value]);
}

function TrialExcerpt({
  jobKey,
  list,
  trial,
  excerpt,
}: Pick<TrialLine, "jobKey" | "list" | "trial"> & { excerpt: Excerpt }) {
  const { kind, key, parts, nMore } = excerpt;
  const words = (
    <>
      <span className="trial-excerpt-place">{kind === "step" ? `step ${key}` : kind}</span>
      <span className="cut trial-excerpt-text">
        {parts.map((part, at) => (at % 2 === 0 ? part : <mark key={at}>{part}</mark>))}
      </span>
      {nMore === 0 ? null : <span className="trial-excerpt-more">{formatPlural(nMore, "more step")}</span>}
    </>
  );
  if (trial.folder === "") return <span className="trial-excerpt">{words}</span>;
  return (
    <Link
      className="trial-excerpt"
      href={trialPageHref(jobKey, trial.key, { list, ...openExcerpt(excerpt) })}
      // The row's own link, above it, goes there too.
      tabIndex={-1}
    >
      {words}
    </Link>
  );
}
