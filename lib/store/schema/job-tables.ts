import type { JobKind, JobPurpose, JobState } from "@/lib/domain/job";
import type { EnvironmentFacts } from "@/lib/domain/environment";
import type { TaskPattern } from "@/lib/domain/job-filter";
import type { PlannedTask } from "@/lib/domain/lineage";
import type { LoadIssueCode } from "@/lib/domain/load-issue";
import type { CheckVerdict, FigureKind, HarborRule, Verdict } from "@/lib/domain/verification";

import type { GroupSummary, StoredHead } from "./job-head";
import type { FacetName, TaskCell } from "./stored-values";
import { id, integer, json, orNull, real, table, text } from "./table";

/** Tables of the opened folders, their jobs, and what a job has besides its trials. */
export const JOB_TABLES = {
  /** Key and value of facts about the index as a whole. */
  meta: table({ name: text(), value: text() }, { key: ["name"] }),
  roots: table({ position: integer(), label: text(), path: text() }, { key: ["position"] }),
  /** One folder that was found: a job folder, or trial folders without one. */
  sources: table(
    {
      id: id(),
      root: integer(),
      folder: text(),
      kind: text<JobKind>(),
      /** `listed` until its trials were read. */
      state: text<"listed" | "read">(),
      /** What `describeSource` of lib/loader says; empty while only listed. */
      fingerprint: text(),
    },
    {
      key: ["id"],
      indexes: [{ columns: ["root", "folder"], postgres: { column: "folder", isHashed: true } }],
    },
  ),
  /** Beside a source that was read: what the next reading needs to know of its trials, which scans have no use for. */
  sourceTrials: table(
    {
      sourceId: integer(),
      /** What `describeTrials` of lib/loader says. */
      description: text(),
    },
    { key: ["sourceId"] },
  ),
  /** One job, several where jobs share a folder (`part` 0 is the folder's own). Columns are what lists filter and sort by. */
  jobs: table(
    {
      id: id(),
      sourceId: integer(),
      part: integer(),
      version: integer(),
      /** What `version` was when its trials were written: what is read of them later leaves this as it is. */
      trialsVersion: integer(),
      key: text(),
      name: text(),
      nameSort: text(),
      uuid: orNull(text()),
      state: text<JobState>(),
      purpose: text<JobPurpose>(),
      verdict: text<CheckVerdict>(),
      nTrials: integer(),
      nMismatched: integer(),
      bestMean: orNull(real()),
      costUsd: orNull(real()),
      whenMs: orNull(real()),
      /** Lower-case names that the text filter looks through, tasks excepted. */
      search: text(),
      /** The key in lower case, for the text filter. */
      keySearch: text(),
      /** Other keys it is found by, each between line feeds, so that links survive when a namesake comes or goes. */
      aliases: text(),
      head: json<StoredHead>(),
      /** 1 once the files of its trials were read for derived details, as they were when its results were read. */
      hasDerivedDetails: integer(),
      /** 1 once the texts of its trials can be searched. */
      hasTexts: integer(),
      /** Version of the rules by which its trials that did not pass were classified; empty until they are. */
      failureRules: text(),
      /** 1 once all scanners looked through its trials. */
      hasScans: integer(),
    },
    {
      key: ["id"],
      indexes: [
        { columns: ["sourceId", "part"], isUnique: true },
        { columns: ["key"], postgres: { column: "key", isHashed: true } },
      ],
    },
  ),
  groups: table(
    {
      jobRowId: integer(),
      position: integer(),
      key: text(),
      agent: text(),
      model: orNull(text()),
      source: orNull(text()),
      nTrials: integer(),
      nTasks: integer(),
      summary: json<GroupSummary>(),
    },
    { key: ["jobRowId", "position"] },
  ),
  /** How the agents of a group, or of a part of one, were set up. */
  groupSettings: table(
    {
      jobRowId: integer(),
      key: text(),
      /** Values of each setting by its name, see `collectSettings` of lib/domain; null where no file states any. */
      settings: json<ReadonlyMap<string, readonly (string | null)[]> | null>(),
      /** See `collectEnvironment` of lib/domain. */
      environment: json<EnvironmentFacts>(),
    },
    { key: ["jobRowId", "key"] },
  ),
  tasks: table(
    {
      jobRowId: integer(),
      /** In the natural order of names, from 0. */
      position: integer(),
      taskName: text(),
      search: text(),
      pattern: orNull(text<TaskPattern>()),
      nTrials: integer(),
      nPassed: integer(),
      nEnded: integer(),
      passedShare: orNull(real()),
      meanReward: orNull(real()),
      meanCostUsd: orNull(real()),
      medianDurationMs: orNull(real()),
      /** One per group of the job; null where a group has no attempt at the task. */
      cells: json<readonly (TaskCell | null)[]>(),
      /** Over the groups divided by agent settings, as is `setupCells`; null where no group of the job is divided. */
      setupPattern: orNull(text<TaskPattern>()),
      /** One per part of a divided group and one per other group, in the order of the groups. */
      setupCells: orNull(json<readonly (TaskCell | null)[]>()),
    },
    {
      key: ["jobRowId", "position"],
      rows: "10000 100 1",
      indexes: [
        // Tasks of all jobs are searched by name without reading their cells.
        { columns: ["search", "taskName", "jobRowId"], postgres: { column: "search", isHashed: true } },
      ],
    },
  ),
  figures: table(
    {
      jobRowId: integer(),
      position: integer(),
      kind: text<FigureKind>(),
      path: text(),
      groupKey: orNull(text()),
      recorded: orNull(text()),
      recomputed: orNull(text()),
      verdict: text<Verdict>(),
      /** 0 is the worst verdict. */
      severity: integer(),
      ulps: orNull(real()),
      reason: orNull(text()),
      rule: orNull(text<HarborRule>()),
      /** Positions of the trials behind it, see `formatPositions`. */
      trials: text(),
      /** How many they are. */
      nTrials: integer(),
      search: text(),
    },
    {
      key: ["jobRowId", "position"],
      rows: "100000 1000 1",
      indexes: [
        // The few figures of groups, and the figure of one trial, among one for each trial.
        {
          columns: ["jobRowId", "kind", "trials"],
          postgres: { column: "trials", isHashed: true },
          rows: "100000 1000 200 1",
        },
      ],
    },
  ),
  issues: table(
    {
      /** Null for an issue of a root. */
      jobRowId: orNull(integer()),
      root: integer(),
      position: integer(),
      /** `shared` for one that only the whole catalog can tell, `derived-details` for files that are read after all results, `failures` for what kept trials from being classified, `scans` for scanners that were stopped. */
      origin: text<"own" | "shared" | "derived-details" | "failures" | "scans">(),
      code: text<LoadIssueCode>(),
      isProblem: integer(),
      path: text(),
      detail: text(),
      search: text(),
      /** The trial it is about; null for one of the job itself. */
      trialKey: orNull(text()),
      /** The file it is about, relative to the trial's folder or else to the job's; empty for the folder, null for what lies elsewhere. */
      file: orNull(text()),
    },
    { indexes: [{ columns: ["jobRowId"], rows: "10000 100" }] },
  ),
  /** How many rows of a job carry a value, so that lists of values to filter by cost one look-up. */
  facets: table(
    { jobRowId: integer(), facet: text<FacetName>(), value: text(), count: integer() },
    {
      indexes: [
        { columns: ["jobRowId", "facet"], rows: "10000 100 8" },
        {
          columns: ["facet", "value"],
          postgres: { column: "facet", isHashed: false },
          rows: "10000 700 3",
        },
      ],
    },
  ),
  /** One row a job: by what its tasks and trials are found, in one place, since the jobs list looks through that of all jobs. */
  jobTexts: table(
    {
      jobRowId: integer(),
      /** Names of tasks and trials and types of exceptions, a line each, in lower case. */
      search: text(),
    },
    { key: ["jobRowId"] },
  ),
  jobPlans: table({ jobRowId: integer(), plan: json<readonly PlannedTask[]>() }, { key: ["jobRowId"] }),
  /** Process that keeps the index up to date; others only read. */
  leases: table({ name: text(), holder: text(), expiresMs: real() }, { key: ["name"] }),
} as const;
