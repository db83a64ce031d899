import type { ErrorTag } from "@/lib/domain/trial";
import type { RubricFit } from "@/lib/domain/rubric";
import type { UncomparedReason } from "@/lib/domain/verifier-check";
import type { FailureClass } from "@/lib/triage/classes";
import type { ClusterKind } from "@/lib/triage/clusters/cluster-of";
import type { Signal } from "@/lib/triage/signals";

import type { DimensionCell, StoredCorrelations, StoredReport } from "./stored-values";
import { integer, json, orNull, real, table, text } from "./table";

/** Tables that have the class of a trial: each is in one of them at most. */
export const CLASS_TABLES = ["trialFailures", "passedFailures"] as const;

/** Tables of what verifiers' files and analyses say. They are read after all results, so these rows come later. */
export const DERIVED_DETAILS_TABLES = {
  /** What a trial's verifier says of one dimension. */
  trialDimensions: table(
    {
      jobRowId: integer(),
      position: integer(),
      /** In the order in which the trial names them, from 0. */
      ordinal: integer(),
      name: text(),
      /** 0 to 1; null when it is named without a share. */
      share: orNull(real()),
      /** As the details state it; null when they do not. */
      weight: orNull(real()),
    },
    {
      key: ["jobRowId", "position", "ordinal"],
      rows: "500000 5000 5 1",
      indexes: [
        // Trials of one dimension and some values, without the rows of the other dimensions.
        {
          columns: ["jobRowId", "name", "share", "position"],
          postgres: { column: "name", isHashed: true },
          rows: "500000 5000 1000 50 1",
        },
      ],
    },
  ),
  /**
   * What the files of one trial tell of its verifier. A trial of a job whose derived details were read and that has no row left
   * neither details nor an output nor a log that matters.
   */
  trialChecks: table(
    {
      jobRowId: integer(),
      position: integer(),
      /** 1 when the verifier left details that can be read. */
      hasDetails: integer(),
      /** SHA-256 in hex of what the agent put out; null when that is not known. */
      outputDigest: orNull(text()),
      /** Where the output lies, relative to the trial's folder. */
      outputPath: orNull(text()),
      /** Why the trial is not compared with others of the same output; null when it is. */
      uncompared: orNull(text<UncomparedReason>()),
      /** Equal for trials of the same task and output; null when the trial is not compared. */
      compareKey: orNull(text()),
      /** Equal for trials whose rewards Python takes to be equal, all keys counted; null when the trial is not compared. */
      rewardsKey: orNull(text()),
      /** Whether the reward follows from the details, and how; null without dimensions. */
      rubricFit: orNull(text<RubricFit>()),
    },
    {
      key: ["jobRowId", "position"],
      rows: "100000 1000 1",
      indexes: [
        // Trials of the same task and output, over all jobs.
        {
          columns: ["compareKey", "rewardsKey"],
          postgres: { column: "compareKey", isHashed: true },
          rows: "100000 2 2",
        },
      ],
    },
  ),
  /** The tests of a trial whose verifier left a report of them, to be found again in other trials of its task. */
  trialTests: table(
    {
      jobRowId: integer(),
      position: integer(),
      /** Null, as the next, where a report states no totals. */
      nTests: orNull(integer()),
      nFailed: orNull(integer()),
      /** Names of failed tests, at most `MAX_FAILED_TESTS`. */
      failed: json<readonly string[]>(),
      /** Codes of passed tests; null where they are not known. */
      passed: orNull(text()),
    },
    { key: ["jobRowId", "position"], rows: "100000 1000 1" },
  ),
  /** A trial whose verifier may have crashed, and why that is thought. */
  suspicions: table(
    {
      jobRowId: integer(),
      position: integer(),
      /** The verifier's log that shows it, relative to the trial's folder; null when none does. */
      log: orNull(text()),
      /** Line of the traceback, from 1; null when the log is too long to count. */
      logLine: orNull(integer()),
      /** 1 when other trials of the task in the job have details and this one, with a reward of 0, has none. */
      lacksDetails: integer(),
    },
    { key: ["jobRowId", "position"], rows: "1000 10 1" },
  ),
  /**
   * Why a trial did not pass. A trial of a job whose `failureRules` are set and that has no row passed, is still
   * running, or has several rewards of which none is its headline.
   * What lists and tallies ask for is here; `failureEvidence` has the rest.
   */
  trialFailures: table(
    {
      jobRowId: integer(),
      position: integer(),
      failureClass: text<FailureClass>(),
      /** Id of the rule that fitted first; empty where none did. */
      rule: text(),
      /** As in `trials`, so that tallies need not read them. */
      groupKey: text(),
      taskName: text(),
      /** What is missing of a full reward, 0 to 1; see `computeLostReward` of lib/stats. */
      lostReward: real(),
      /** See `FailureCluster` of lib/triage. */
      clusterKey: text(),
      /** The trial and its result when it was classified, as in `trials`; a row that these do not fit any more is removed. */
      key: text(),
      resultDigest: orNull(text()),
      /** Of the rules, see `RuleSet` of lib/triage; empty when it is to be classified again in any case. */
      version: text(),
    },
    {
      key: ["jobRowId", "position"],
      rows: "20000 200 1",
      indexes: [
        // Tallies are read from this index alone.
        {
          columns: ["failureClass", "rule", "jobRowId", "groupKey", "taskName", "lostReward"],
          postgres: { column: "failureClass", isHashed: false },
          rows: "20000 2000 1000 20 10 2 1",
        },
        { columns: ["clusterKey"], rows: "20000 10" },
      ],
    },
  ),
  /**
   * What ended trials with an exception that did not fail for it. Readings of a score leave them out as they do failed ones. A trial
   * of a job whose `failureRules` are set and that has no row here or in `trialFailures` was stopped by nothing.
   */
  passedFailures: table(
    {
      jobRowId: integer(),
      position: integer(),
      failureClass: text<FailureClass>(),
      /** As in `trialFailures` and `failureEvidence`. */
      rule: text(),
      why: orNull(text()),
      evidence: json<readonly Signal[]>(),
      groupKey: text(),
      taskName: text(),
      key: text(),
      resultDigest: orNull(text()),
      version: text(),
    },
    { key: ["jobRowId", "position"], rows: "2000 20 1" },
  ),
  /** What shows why a trial did not pass. */
  failureEvidence: table(
    {
      jobRowId: integer(),
      position: integer(),
      /** The sentence of the rule; null where none fitted. */
      why: orNull(text()),
      evidence: json<readonly Signal[]>(),
      /** What `clusterKey` was made of, as it is shown: kind, scope and pattern of the cluster. */
      clusterKind: text<ClusterKind>(),
      clusterScope: text(),
      clusterText: text(),
      /** What stands in the slots of the pattern, in their order. */
      clusterSlots: json<readonly string[]>(),
      /** The signal that the pattern is of; null where it is of no text. */
      clusterSignal: json<Signal | null>(),
      /** Sentence and evidence in lower case, for the text filter. */
      search: text(),
    },
    { key: ["jobRowId", "position"], rows: "20000 200 1" },
  ),
  /** An error tag of a trial; the same category and source once. */
  trialTags: table(
    {
      jobRowId: integer(),
      position: integer(),
      ordinal: integer(),
      category: text(),
      source: text<ErrorTag["source"]>(),
    },
    { key: ["jobRowId", "position", "ordinal"], rows: "20000 200 2 1" },
  ),
  /** What the report in the folder of a job of `harbor analyze` or `harbor check` says of one trial or task. */
  reports: table(
    {
      jobRowId: integer(),
      /** In the order of the report, from 0. */
      position: integer(),
      /** Name of the trial or of the task's folder. */
      subject: text(),
      content: json<StoredReport>(),
    },
    {
      key: ["jobRowId", "position"],
      indexes: [{ columns: ["subject"], postgres: { column: "subject", isHashed: true } }],
    },
  ),
  /** One family of tasks of a job whose trials state dimensions. */
  families: table(
    {
      jobRowId: integer(),
      /** In directory order of their first trials, from 0. */
      position: integer(),
      family: text(),
      /** Tasks with a finished trial. */
      nTasks: integer(),
      /** Finished trials, whether they state a dimension or not. */
      nTrials: integer(),
      /** Finished trials by key of the group. */
      groups: json<ReadonlyMap<string, number>>(),
      /** Finished trials by whether their reward follows from their dimensions. */
      fits: json<ReadonlyMap<RubricFit, number>>(),
      /** By key of the group, with the empty key for all groups together. Of the first `MOST_CORRELATED` dimensions. */
      correlations: json<ReadonlyMap<string, StoredCorrelations>>(),
    },
    { key: ["jobRowId", "position"], rows: "200 2 1" },
  ),
  /** One dimension of a family over all groups of a job. Of two families, dimensions with the same name are two. */
  dimensions: table(
    {
      jobRowId: integer(),
      /** In the order of families, and in each in the order in which its trials name them, from 0. */
      position: integer(),
      family: text(),
      name: text(),
      /** By key of the group; a group none of whose trials states the dimension is absent. */
      cells: json<ReadonlyMap<string, DimensionCell>>(),
    },
    { key: ["jobRowId", "position"], rows: "500 5 1" },
  ),
  /** How many trials of a group carry a tag. */
  tags: table(
    {
      jobRowId: integer(),
      position: integer(),
      groupKey: text(),
      /** Null for any category. */
      category: orNull(text()),
      /** Null for trials that have the category from whichever source. */
      source: orNull(text<ErrorTag["source"]>()),
      nTrials: integer(),
      nFinished: integer(),
    },
    { key: ["jobRowId", "position"], rows: "1000 10 1" },
  ),
} as const;
