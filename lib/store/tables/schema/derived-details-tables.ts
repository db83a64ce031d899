import type { RubricFit } from "@/lib/core/domain/rubric";
import type { ErrorTag } from "@/lib/core/domain/trial";
import type { UncomparedReason } from "@/lib/core/domain/verifier-check";
import type { FailureClass } from "@/lib/core/triage/classes";
import type { ClusterKind } from "@/lib/core/triage/clusters/cluster-of";
import type { Signal } from "@/lib/core/triage/signals";

import type { DimensionCell, StoredCorrelations, StoredReport } from "./stored-values";
import { integer, json, orNull, real, table, text, trialPosition } from "./table";

export const CLASS_TABLES = ["trialFailures", "passedFailures"] as const;

export const DERIVED_DETAILS_TABLES = {
  trialDimensions: table(
    {
      jobRowId: integer(),
      position: trialPosition(),
      ordinal: integer(),
      name: text(),
      /** 0 to 1; null when it is named without a share. */
      share: orNull(real()),
      weight: orNull(real()),
    },
    {
      key: ["jobRowId", "position", "ordinal"],
      rows: "500000 5000 5 1",
      indexes: [
        // Finds trials by dimension and value without reading the other dimensions.
        {
          columns: ["jobRowId", "name", "share", "position"],
          postgres: ["hash", "name"],
          rows: "500000 5000 1000 50 1",
        },
      ],
    },
  ),
  /**
   * Evidence of a trial's files about its verifier. Once the derived details of a job are read, a trial without a row left no
   * details, output or relevant log.
   */
  trialChecks: table(
    {
      jobRowId: integer(),
      position: trialPosition(),
      hasDetails: integer(),
      /** SHA-256 of the agent's output in hex; null when unknown. */
      outputDigest: orNull(text()),
      outputPath: orNull(text()),
      uncompared: orNull(text<UncomparedReason>()),
      /** Equal for trials of the same task and output; null when the trial is not compared. */
      compareKey: orNull(text()),
      /** Equal if Python considers all rewards equal; null when the trial is not compared. */
      rewardsKey: orNull(text()),
      rubricFit: orNull(text<RubricFit>()),
    },
    {
      key: ["jobRowId", "position"],
      rows: "100000 1000 1",
      indexes: [
        { columns: ["compareKey", "rewardsKey"], postgres: ["hash", "compareKey"], rows: "100000 2 2" },
      ],
    },
  ),
  trialTests: table(
    {
      jobRowId: integer(),
      position: trialPosition(),
      /** This and the next are null if a report states no totals. */
      nTests: orNull(integer()),
      nFailed: orNull(integer()),
      failed: json<readonly string[]>(),
      passed: orNull(text()),
    },
    { key: ["jobRowId", "position"], rows: "100000 1000 1" },
  ),
  suspicions: table(
    {
      jobRowId: integer(),
      position: trialPosition(),
      /** Verifier log with the traceback, relative to the trial's folder; null if none shows it. */
      log: orNull(text()),
      /** Line of the traceback, from 1; null when the log is too long to count. */
      logLine: orNull(integer()),
      /** 1 if the trial has a reward of 0 and no details, while other trials of the task in the job have some. */
      lacksDetails: integer(),
    },
    { key: ["jobRowId", "position"], rows: "1000 10 1" },
  ),
  /**
   * Once `failureRules` of a job is set, a trial without a row passed, still runs, or has several rewards without a headline. This
   * table holds what lists and tallies need; `failureEvidence` has the rest.
   */
  trialFailures: table(
    {
      jobRowId: integer(),
      position: trialPosition(),
      failureClass: text<FailureClass>(),
      /** First rule that matched; empty if none did. */
      rule: text(),
      groupKey: text(),
      taskName: text(),
      /** Missing part of a full reward, 0 to 1; see `computeLostReward` of lib/core/stats. */
      lostReward: real(),
      /** See `FailureCluster` of lib/core/triage. */
      clusterKey: text(),
      /** The trial and its result at classification, as in `trials`; rows that no longer match are removed. */
      key: text(),
      resultDigest: orNull(text()),
      /** Version of the rules, see `RuleSet` of lib/core/triage; empty to force reclassification. */
      version: text(),
    },
    {
      key: ["jobRowId", "position"],
      rows: "20000 200 1",
      indexes: [
        {
          columns: ["failureClass", "rule", "jobRowId", "groupKey", "taskName", "lostReward"],
          postgres: ["btree", "failureClass"],
          rows: "20000 2000 1000 20 10 2 1",
        },
        { columns: ["clusterKey"], rows: "20000 10" },
      ],
    },
  ),
  /**
   * Exceptions of trials that did not fail for them. Readings of a score exclude them like failed ones. Once `failureRules` of a
   * job is set, nothing stopped a trial without a row here or in `trialFailures`.
   */
  passedFailures: table(
    {
      jobRowId: integer(),
      position: trialPosition(),
      failureClass: text<FailureClass>(),
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
  failureEvidence: table(
    {
      jobRowId: integer(),
      position: trialPosition(),
      why: orNull(text()),
      evidence: json<readonly Signal[]>(),
      clusterKind: text<ClusterKind>(),
      clusterScope: text(),
      clusterText: text(),
      clusterSlots: json<readonly string[]>(),
      /** Signal that the pattern comes from; null if it comes from no text. */
      clusterSignal: json<Signal | null>(),
      search: text(),
    },
    { key: ["jobRowId", "position"], rows: "20000 200 1" },
  ),
  trialTags: table(
    {
      jobRowId: integer(),
      position: trialPosition(),
      ordinal: integer(),
      category: text(),
      source: text<ErrorTag["source"]>(),
    },
    { key: ["jobRowId", "position", "ordinal"], rows: "20000 200 2 1" },
  ),
  reports: table(
    { jobRowId: integer(), position: integer(), subject: text(), content: json<StoredReport>() },
    { key: ["jobRowId", "position"], indexes: [{ columns: ["subject"], postgres: ["hash", "subject"] }] },
  ),
  families: table(
    {
      jobRowId: integer(),
      position: integer(),
      family: text(),
      nTasks: integer(),
      nTrials: integer(),
      groups: json<ReadonlyMap<string, number>>(),
      fits: json<ReadonlyMap<RubricFit, number>>(),
      /** By group key, with the empty key for all groups together. Covers the first `MOST_CORRELATED` dimensions. */
      correlations: json<ReadonlyMap<string, StoredCorrelations>>(),
    },
    { key: ["jobRowId", "position"], rows: "200 2 1" },
  ),
  dimensions: table(
    {
      jobRowId: integer(),
      /** In the order of families, then of first mention in the family's trials, from 0. */
      position: integer(),
      family: text(),
      name: text(),
      cells: json<ReadonlyMap<string, DimensionCell>>(),
    },
    { key: ["jobRowId", "position"], rows: "500 5 1" },
  ),
  tags: table(
    {
      jobRowId: integer(),
      position: integer(),
      groupKey: text(),
      /** Null for any category. */
      category: orNull(text()),
      /** Null for trials with the category from any source. */
      source: orNull(text<ErrorTag["source"]>()),
      nTrials: integer(),
      nFinished: integer(),
    },
    { key: ["jobRowId", "position"], rows: "1000 10 1" },
  ),
} as const;
