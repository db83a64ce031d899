import type { Route } from "next";
import type { ComponentProps, ReactNode } from "react";

import { ListFacet } from "@/components/ui/facet-menu";
import { FilterChips } from "@/components/ui/filter-chips";
import { type Filter, NoMatches } from "@/components/ui/no-matches";
import { Pager } from "@/components/ui/pager";
import type { JobTab } from "@/lib/core/domain/job-filter";
import type { ListPage } from "@/lib/core/domain/list-page";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { FAILURE_WORDS, FLIP_WORDS } from "@/lib/core/format/words";
import { jobPageHref, type JobParams, NO_DIMENSION, readDimension } from "@/lib/pages/job/address";

import { describeDimension, describeEnd, describeRange, RANGES } from "./trials/list-words";

export type ListFilter =
  | "patterns"
  | "outcomes"
  | "exceptions"
  | "groups"
  | "judgments"
  | "tags"
  | "verifier"
  | "agents"
  | "jobs"
  | "runSets"
  | "tasks"
  | "scanners"
  | "verdicts"
  | "kinds";

export function JobFacet<T extends string>({
  label,
  jobKey,
  params,
  filter,
  values,
  wordFor,
}: {
  label: string;
  /** Null on the page of all jobs' trials, here and below. */
  jobKey: string | null;
  params: JobParams;
  filter: ListFilter;
  values: readonly { readonly value: T; readonly count: number | null }[];
  wordFor?: (value: T) => ReactNode;
}) {
  return (
    <ListFacet
      label={label}
      values={values}
      chosen={params[filter]}
      hrefOf={(wanted) => jobPageHref(jobKey, params, { [filter]: wanted })}
      wordFor={wordFor}
    />
  );
}

/** Digits of a task digest that tell its versions apart. */
const DIGEST_SHOWN = 8;

function JobChips({ jobKey, params }: { jobKey: string | null; params: JobParams }) {
  const without = (change: Partial<JobParams>) => jobPageHref(jobKey, params, change);
  const dimension = readDimension(params);
  const listed = (["tasks", "agents", "tags"] as const).flatMap((filter) =>
    params[filter].map((value) => ({
      words: value,
      href: without({ [filter]: params[filter].filter((one) => one !== value) }),
    })),
  );
  const flips = params.flips.map((flip) => ({
    words: `regrade: ${FLIP_WORDS[flip]}`,
    href: without({ flips: params.flips.filter((one) => one !== flip) }),
  }));
  const classes = params.failureClasses.map((failureClass) => ({
    words: FAILURE_WORDS[failureClass],
    href: without({ failureClasses: params.failureClasses.filter((one) => one !== failureClass) }),
  }));
  const chips: readonly { readonly words: string; readonly href: Route }[] = [
    ...listed,
    ...classes,
    ...params.clusters.map((cluster) => ({
      words: `cluster ${cluster}`,
      href: without({ clusters: params.clusters.filter((one) => one !== cluster) }),
    })),
    ...(params.evidence === ""
      ? []
      : [{ words: `evidence “${params.evidence}”`, href: without({ evidence: "" }) }]),
    ...params.digests.map((digest) => ({
      words: `task version ${digest.slice(0, DIGEST_SHOWN)}`,
      href: without({ digests: params.digests.filter((one) => one !== digest) }),
    })),
    ...(params.endedFrom === null
      ? []
      : [{ words: describeEnd(params.endedFrom), href: without({ endedFrom: null }) }]),
    ...(params.isWithoutReference
      ? [{ words: "without oracle and nop", href: without({ isWithoutReference: false }) }]
      : []),
    ...flips,
    ...(params.figure === null
      ? []
      : [{ words: `behind ${params.figure}`, href: without({ figure: null }) }]),
    ...(dimension === null ? [] : [{ words: describeDimension(dimension), href: without(NO_DIMENSION) }]),
    ...RANGES.flatMap(([name, min, max]) =>
      describeRange(name.toLowerCase(), params[min], params[max]).map((words) => ({
        words,
        href: without({ [min]: null, [max]: null }),
      })),
    ),
  ];
  if (chips.length === 0) return null;
  return (
    <div className="job-chips">
      <FilterChips chips={chips} />
    </div>
  );
}

export type CountRows = (change: Partial<JobParams>) => Promise<number>;

type JobFilter = Filter<JobParams>;

const TEXT: JobFilter = ["Text", { text: "" }];
const GROUP: JobFilter = ["Group", { groups: [] }];
const FIGURE: JobFilter = ["Behind the figure", { figure: null }];
const OF_TASKS_AND_TRIALS: readonly JobFilter[] = [
  TEXT,
  ["Outcome", { outcomes: [] }],
  ["Exception", { exceptions: [] }],
  ["Task", { tasks: [] }],
  ["Judgment", { judgments: [] }],
];

const FILTERS: Readonly<Partial<Record<JobTab, readonly JobFilter[]>>> = {
  tasks: [...OF_TASKS_AND_TRIALS, ["Pattern", { patterns: [] }]],
  trials: [
    ...OF_TASKS_AND_TRIALS,
    ["Failure", { failureClasses: [] }],
    ["Cluster", { clusters: [] }],
    ["Evidence", { evidence: "" }],
    ["Ended", { endedFrom: null }],
    ["Task version", { digests: [] }],
    ["Without oracle and nop", { isWithoutReference: false }],
    ["Agent", { agents: [] }],
    ["Job", { jobs: [] }],
    ["Run set", { runSets: [] }],
    GROUP,
    ["Error tag", { tags: [] }],
    ["Scanner", { scanners: [] }],
    ["Verifier", { verifier: [] }],
    ["Regrade", { flips: [] }],
    FIGURE,
    ["Dimension", NO_DIMENSION],
    ...RANGES.map(([name, min, max]): JobFilter => [name, { [min]: null, [max]: null }]),
  ],
  rubric: [["Stored reward", { fits: [] }], GROUP],
  verification: [TEXT, ["Verdict", { verdicts: [] }], ["Kind", { kinds: [] }], GROUP, FIGURE],
};

export function NoJobRows({
  noun,
  jobKey,
  params,
  count,
}: {
  noun: string;
  jobKey: string | null;
  params: JobParams;
  count: CountRows;
}) {
  return (
    <NoMatches
      noun={noun}
      params={params}
      filters={FILTERS[params.tab] ?? []}
      hrefOf={(...change) => jobPageHref(jobKey, ...change)}
      count={count}
    />
  );
}

export function JobRows({
  page,
  children,
  ...rest
}: ComponentProps<typeof NoJobRows> & { page: ListPage<unknown>; children: ReactNode }) {
  const { noun, jobKey, params } = rest;
  return (
    <>
      <JobChips jobKey={jobKey} params={params} />
      {page.rows.length === 0 ? <NoJobRows {...rest} /> : children}
      <Pager
        page={page}
        noun={noun}
        label={`Pages of the ${noun}s`}
        hrefOf={(to) => jobPageHref(jobKey, params, { page: to })}
      />
    </>
  );
}

export function describeMatching(nMatching: number, n: number, noun: string): string {
  return `${nMatching === n ? "" : `${formatCount(nMatching)} of `}${formatPlural(n, noun)}`;
}
