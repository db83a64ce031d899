import type { RecordedJudgment } from "@/lib/core/domain/judgment";
import type { Trial } from "@/lib/core/domain/trial";

import { id, integer, json, orNull, real, table, text, trialPosition } from "./table";
import { TRIAL_ROW_COLUMNS } from "./trial-columns";

export const TRIAL_TABLES = {
  trials: table(
    {
      jobRowId: integer(),
      position: trialPosition(),
      ...TRIAL_ROW_COLUMNS,
      /** Position of its task in `tasks`: the natural order of task names. */
      taskPosition: integer(),
      setupKey: orNull(text()),
      /** Its number among the attempts of that part at the task, from 1. */
      setupAttempt: orNull(integer()),
      /** 1 if it counts in its group's figures under the rule that wrote its job, see `countsUnder`. */
      counts: integer(),
      filesDiffer: orNull(text()),
    },
    {
      key: ["jobRowId", "position"],
      rows: "100000 1000 1",
      indexes: [
        { columns: ["jobRowId", "key"], postgres: { column: "key", isHashed: true }, rows: "100000 1000 1" },
        // Default order of the trials table; its first page must not sort the whole job.
        { columns: ["jobRowId", "taskPosition"], rows: "100000 1000 10" },
        // Counts by task and group read only this index. Every index begins with the job, so that a job is written in one place.
        {
          columns: ["jobRowId", "taskName", "groupKey", "attempt", "state", "reward", "counts"],
          postgres: { column: "taskName", isHashed: true },
          rows: "100000 1000 10 5 1 1 1 1",
        },
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
    { jobRowId: integer(), position: trialPosition(), record: json<Trial>() },
    { key: ["jobRowId", "position"], rows: "100000 1000 1" },
  ),
  /**
   * Search texts of a trial. Read last, and kept while the trial's files do not change: a new reading of its job only updates the
   * position. Trials without a row are not read yet.
   */
  trialTexts: table(
    {
      id: id(),
      jobRowId: integer(),
      position: orNull(trialPosition()),
      key: text(),
      /** Stamp of its files when read; empty to force a new reading. */
      stamp: text(),
      /** Stamped files of the trajectory besides the standard ones, as JSON. */
      files: text(),
      /** See `TrialFingerprint.trajectory` of lib/core/domain; as of when the texts were read. */
      trajectoryDigest: orNull(text()),
      nSteps: orNull(integer()),
      nErrors: orNull(integer()),
      isCut: integer(),
      texts: text(),
    },
    {
      key: ["id"],
      indexes: [
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
    { jobRowId: integer(), position: trialPosition(), key: text(), value: orNull(real()), text: text() },
    { indexes: [{ columns: ["jobRowId", "position"], rows: "100000 1000 3" }] },
  ),
  /** Source of a regraded trial, as its files state it. */
  trialSources: table(
    {
      jobRowId: integer(),
      position: trialPosition(),
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
  trialLinks: table(
    { jobRowId: integer(), position: trialPosition(), sourceJobRowId: integer(), sourcePosition: integer() },
    {
      key: ["jobRowId", "position"],
      rows: "2000 200 1",
      // Finds the regrades of a trial. Links are few and written together, not with their jobs.
      indexes: [{ columns: ["sourceJobRowId", "sourcePosition"], rows: "2000 200 1" }],
    },
  ),
  /** Jobs and trials that are open several times. Found after all jobs are read; see `findCopies` of lib/read/catalog. */
  copies: table(
    {
      jobRowId: integer(),
      /** Position of the trial; -1 for the whole job. */
      position: integer(),
      /** Equal for copies, which count once. */
      family: integer(),
      rank: integer(),
    },
    { key: ["jobRowId", "position", "family"], rows: "2000 200 2 1" },
  ),
  /** Tasks whose name in `tasks` and `trials` is not the recorded one, see `labelTasks` of lib/core/domain. */
  taskLabels: table(
    {
      jobRowId: integer(),
      position: integer(),
      taskName: text(),
      label: text(),
    },
    { key: ["jobRowId", "position"], rows: "200 20 1" },
  ),
  /** A judgment in a file of the opened folders; Assay's own are in another store. */
  recordedJudgments: table(
    {
      jobRowId: integer(),
      position: trialPosition(),
      /** In the order of `TrialJudgmentsOnFile`, from 0. */
      ordinal: integer(),
      atMs: orNull(real()),
      record: json<RecordedJudgment>(),
    },
    { key: ["jobRowId", "position", "ordinal"], rows: "10000 100 3 1" },
  ),
} as const;
