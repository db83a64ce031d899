import type { ExceptionCause } from "@/lib/domain/exception-cause";
import type { RecordedJudgment } from "@/lib/domain/judgment";
import type { Outcome, TrialRecord, TrialState } from "@/lib/domain/trial";

import { id, integer, json, orNull, real, table, text } from "./table";

export const TRIAL_TABLES = {
  /** One trial. Columns are what tables filter and sort by; the record is in `trialRecords`. */
  trials: table(
    {
      jobRowId: integer(),
      /** In directory order, from 0. */
      position: integer(),
      key: text(),
      uuid: orNull(text()),
      /** Id of the job that ran it, as its own config states it. */
      runUuid: orNull(text()),
      trialName: text(),
      taskName: text(),
      /** Position of its task in `tasks`: the natural order of task names. */
      taskPosition: integer(),
      /** What `findTaskFamily` of lib/domain makes of the task. */
      family: text(),
      groupKey: text(),
      agent: text(),
      agentVersion: orNull(text()),
      model: orNull(text()),
      attempt: integer(),
      /** Part of its group with the same agent settings; null where no setting of the group is known to differ. */
      setupKey: orNull(text()),
      /** Its number among the attempts at the task of that part, from 1. */
      setupAttempt: orNull(integer()),
      state: text<TrialState>(),
      outcome: text<Outcome>(),
      /** 1 where files of its own are known; 0 when it is only known from a lock or stats. */
      hasFolder: integer(),
      rewardKey: orNull(text()),
      /** Headline reward; null when there is none and for NaN. */
      reward: orNull(real()),
      /** The headline reward as Python writes it. */
      rewardText: orNull(text()),
      nRewardKeys: integer(),
      /** 1 where the trial is an operand of its group's figures under the rule that wrote its job, see `countsUnder`. */
      counts: integer(),
      /** 1 where Harbor 0.26 counts its rewards, whatever wrote its job. */
      rewardValid: integer(),
      /** Of the trial, else of one of its steps, see `selectFailure` of lib/domain. */
      exceptionType: orNull(text()),
      exceptionMessage: orNull(text()),
      exceptionCause: orNull(text<ExceptionCause>()),
      /** Step that raised the exception; null when the trial itself records it, and without one. */
      exceptionStep: orNull(text()),
      costUsd: orNull(real()),
      nTokens: orNull(real()),
      durationMs: orNull(real()),
      startedMs: orNull(real()),
      taskDigest: orNull(text()),
      /** See `TrialFingerprint.result` of lib/domain. */
      resultDigest: orNull(text()),
      /** Why the reward files say otherwise than result.json; null when they agree or say nothing. */
      filesDiffer: orNull(text()),
      /** Task, trial and exception in lower case, for the text filter. */
      search: text(),
    },
    {
      key: ["jobRowId", "position"],
      rows: "100000 1000 1",
      indexes: [
        { columns: ["jobRowId", "key"], postgres: { column: "key", isHashed: true }, rows: "100000 1000 1" },
        // The trials table's own order, whose first page must not cost a sort of the whole job.
        { columns: ["jobRowId", "taskPosition"], rows: "100000 1000 10" },
        // Counts by task and group read this index alone and never the rows. Every index begins with the job, so that a job
        // is written in one place.
        {
          columns: ["jobRowId", "taskName", "groupKey", "attempt", "state", "reward", "counts"],
          postgres: { column: "taskName", isHashed: true },
          rows: "100000 1000 10 5 1 1 1 1",
        },
        // The few trials that ended with an exception are found without reading the others, and counted without reading them.
        {
          columns: [
            "exceptionType",
            "exceptionCause",
            "jobRowId",
            "groupKey",
            "state",
            "outcome",
            "nRewardKeys",
            "reward",
          ],
          where: "exceptionType",
          postgres: { column: "jobRowId", isHashed: false },
          rows: "10000 1000 20",
        },
      ],
    },
  ),
  trialRecords: table(
    { jobRowId: integer(), position: integer(), record: json<TrialRecord>() },
    { key: ["jobRowId", "position"], rows: "100000 1000 1" },
  ),
  /**
   * What a trial is found by beside its names. Read after everything else, and kept while the files of the trial are as they
   * were: when its job is read again only the place is set anew. A trial that has no row was not read yet.
   */
  trialTexts: table(
    {
      /** The row of the same number in `trialSearch`, which has the words. */
      id: id(),
      jobRowId: integer(),
      /** The trial's, here as it is now; null once there is no such trial. */
      position: orNull(integer()),
      key: text(),
      /** Of its files when they were read; empty when they are to be read again in any case. */
      stamp: text(),
      /** Files that the stamp is of beside those that it always is, as JSON: those of the trajectory, as many as are stamped. */
      files: text(),
      /** See `TrialFingerprint.trajectory` of lib/domain; as of when the texts were read. */
      trajectoryDigest: orNull(text()),
      /** Of its trajectory, and those of them with an error; null without one. */
      nSteps: orNull(integer()),
      nErrors: orNull(integer()),
      /** 1 when some of the text is left out. */
      isCut: integer(),
      /** See `encodeTexts`. */
      texts: text(),
    },
    {
      key: ["id"],
      indexes: [
        // What lists sort by and searches go by, without the texts.
        {
          columns: ["jobRowId", "position", "id", "nSteps", "nErrors", "isCut"],
          rows: "100000 1000 1 1 1 1 1",
        },
        {
          columns: ["jobRowId", "key"],
          postgres: { column: "key", isHashed: true },
          rows: "100000 1000 1",
        },
      ],
    },
  ),
  trialRewards: table(
    { jobRowId: integer(), position: integer(), key: text(), value: orNull(real()), text: text() },
    { indexes: [{ columns: ["jobRowId", "position"], rows: "100000 1000 3" }] },
  ),
  /** What the files of a regraded trial state of its source; only regraded trials have a row. */
  trialSources: table(
    {
      jobRowId: integer(),
      position: integer(),
      /** Id of the source trial, and the folders of its job and of itself. */
      uuid: orNull(text()),
      jobName: orNull(text()),
      trialName: orNull(text()),
      sourceVersion: orNull(text()),
      sourceDigest: orNull(text()),
      ownVersion: orNull(text()),
      ownDigest: orNull(text()),
    },
    { key: ["jobRowId", "position"], rows: "2000 200 1" },
  ),
  /** Where the source of a regraded trial is open; found once all jobs are read, so it may be of an earlier generation. */
  trialLinks: table(
    { jobRowId: integer(), position: integer(), sourceJobRowId: integer(), sourcePosition: integer() },
    {
      key: ["jobRowId", "position"],
      rows: "2000 200 1",
      // The regrades of a trial; there are few links, written together and not with their jobs.
      indexes: [{ columns: ["sourceJobRowId", "sourcePosition"], rows: "2000 200 1" }],
    },
  ),
  /** Jobs and trials that are open several times, found once all jobs are read; see `findCopies` of lib/catalog. */
  copies: table(
    {
      jobRowId: integer(),
      /** Of the trial; -1 for the whole job. */
      position: integer(),
      /** Equal for those that count once. */
      family: integer(),
      /** The lowest rank that the reader may see counts. */
      rank: integer(),
    },
    { key: ["jobRowId", "position", "family"], rows: "2000 200 2 1" },
  ),
  /** Tasks whose name in `tasks` and `trials` is not the recorded one, see `labelTasks` of lib/domain. */
  taskLabels: table(
    {
      jobRowId: integer(),
      /** The task's in `tasks`. */
      position: integer(),
      /** As recorded. */
      taskName: text(),
      label: text(),
    },
    { key: ["jobRowId", "position"], rows: "200 20 1" },
  ),
  /** A judgment of a trial that stands in a file of the opened folders; Assay's own are in another store. */
  recordedJudgments: table(
    {
      jobRowId: integer(),
      /** The trial's. */
      position: integer(),
      /** In the order of `TrialJudgmentsOnFile`, from 0. */
      ordinal: integer(),
      atMs: orNull(real()),
      record: json<RecordedJudgment>(),
    },
    { key: ["jobRowId", "position", "ordinal"], rows: "10000 100 3 1" },
  ),
} as const;
