import { compareText } from "@/lib/core/domain/compare-text";
import { RECORDED_KINDS, type RecordedJudgment } from "@/lib/core/domain/judgment";
import type { Trial } from "@/lib/core/domain/trial";
import { parseFeedbackAnnotation } from "@/lib/core/evaluation";
import { parseClockTime } from "@/lib/read/schema/clock-time";
import { parseAdjudication, parseTriage } from "@/lib/read/schema/ledger-feedback";

import { isObject } from "../detail/json-shape";
import { folderName, joinFolder } from "../discover/load-root";
import { isFolder } from "../file-stamp";
import type { FolderReader } from "../folder-reader";
import { findFeedback, listJsonFiles, TRIAGE_FOLDER } from "./find-feedback";

/** Limit per trial and folder; its page reads them on each request. */
const MOST_FILES = 1_000;

export type JudgedTrial = Pick<Trial, "id" | "jobUuid" | "folder" | "ledger">;

export class JudgmentFiles {
  private readonly reader: FolderReader;
  private readonly folders: Readonly<Record<"triage" | "annotations" | "adjudications", string | null>>;

  constructor(reader: FolderReader, ledgerFolder: string) {
    this.reader = reader;
    const { root } = reader;
    const feedback = findFeedback(root, ledgerFolder);
    const enter = (above: string | null, name: string) => {
      const folder = above === null ? null : joinFolder(above, name);
      return folder !== null && isFolder(root, folder) ? folder : null;
    };
    this.folders = {
      triage: enter(ledgerFolder, TRIAGE_FOLDER),
      annotations: enter(feedback, "annotations"),
      adjudications: enter(feedback, "adjudications"),
    };
  }

  read(trial: JudgedTrial): readonly RecordedJudgment[] {
    const judgments = [
      ...(trial.ledger?.annotations ?? []),
      ...this.readTriage(trial),
      ...this.readFolder("annotations", trial, (file, value) => this.toFeedback(file, value, trial)),
      ...this.readFolder("adjudications", trial, (file, value) => this.toAdjudication(file, value, trial)),
    ];
    return judgments.toSorted(
      (a, b) =>
        RECORDED_KINDS.indexOf(a.kind) - RECORDED_KINDS.indexOf(b.kind) ||
        (b.time?.epochMs ?? -Infinity) - (a.time?.epochMs ?? -Infinity) ||
        compareText(a.file, b.file),
    );
  }

  private readFolder(
    part: "annotations" | "adjudications",
    { id }: JudgedTrial,
    convert: (file: string, value: unknown) => RecordedJudgment | null,
  ): RecordedJudgment[] {
    const folder = this.folders[part];
    if (folder === null || id === null || !isOneName(id)) return [];
    const own = joinFolder(folder, id);
    const files = listJsonFiles(this.reader, own);
    if (files.length > MOST_FILES) {
      const detail = `It has ${files.length.toLocaleString("en")} files of judgments; the first ${MOST_FILES.toLocaleString("en")} are read.`;
      this.reader.report("too_many_values", own, detail);
    }
    return files.slice(0, MOST_FILES).flatMap((file) => {
      const value = this.reader.readLoose(file);
      return value === undefined ? [] : (convert(file, value) ?? []);
    });
  }

  private readTriage({ id, folder }: JudgedTrial): RecordedJudgment[] {
    const name = id ?? folderName(this.reader.root, folder).replace(/\.json$/, "");
    if (this.folders.triage === null || !isOneName(name)) return [];
    const file = joinFolder(this.folders.triage, `${name}.json`);
    const triage = this.reader.readLooseFields(file, parseTriage);
    if (triage === null) return [];
    return [
      {
        ...NOBODY,
        kind: "triage",
        file,
        judgment: triage.verdict === "note" ? null : triage.verdict,
        notes: triage.notes ?? null,
        time: parseClockTime(triage.timestamp),
      },
    ];
  }

  private toFeedback(file: string, value: unknown, trial: JudgedTrial): RecordedJudgment | null {
    const parsed = isObject(value) ? parseFeedbackAnnotation(value) : null;
    if (!parsed?.ok) {
      const [first] = parsed?.issues ?? [];
      const detail =
        first === undefined
          ? "An annotation was expected, which is a JSON object."
          : `${[...first.path, ""].join(".").slice(0, -1) || "annotation"}: ${first.message}; it is not shown.`;
      this.reader.report("field_invalid", file, detail);
      return null;
    }
    const annotation = parsed.value;
    if (!this.belongs(file, annotation.trial_id, annotation.experiment_id, trial)) return null;
    return {
      ...NOBODY,
      kind: "feedback",
      file,
      reviewerId: annotation.reviewer_id,
      discipline: annotation.reviewer_discipline,
      judgment: annotation.judgment,
      categories: annotation.categories,
      notes: annotation.notes,
      time: parseClockTime(annotation.created_at),
      calibrationVersion: annotation.calibration_version,
    };
  }

  private toAdjudication(file: string, value: unknown, trial: JudgedTrial): RecordedJudgment | null {
    const decision = this.reader.take(file, parseAdjudication(value));
    if (decision === null) return null;
    if (!this.belongs(file, decision.trial_id, decision.experiment_id ?? null, trial)) return null;
    return {
      ...NOBODY,
      kind: "adjudication",
      file,
      reviewerId: decision.decided_by ?? null,
      judgment: decision.final_judgment ?? null,
      categories: decision.categories ?? [],
      notes: decision.rationale ?? null,
      time: parseClockTime(decision.created_at),
      status: decision.status,
    };
  }

  /** Rejects files about another trial, including another experiment's trial with the same id. */
  private belongs(
    file: string,
    trialId: string,
    experimentId: string | null,
    { id, jobUuid }: JudgedTrial,
  ): boolean {
    if (trialId !== id) {
      const detail = `trial_id: it is about ${trialId} but is filed under ${id ?? "no trial"}; it is not shown.`;
      this.reader.report("field_invalid", file, detail);
      return false;
    }
    return experimentId === null || jobUuid === null || experimentId === jobUuid;
  }
}

/** True if an id, which may be any text, is a single path segment. */
function isOneName(id: string): boolean {
  return id !== "" && id !== "." && id !== ".." && !/[/\\\0]/.test(id);
}

const NOBODY = {
  reviewerId: null,
  discipline: null,
  categories: [],
  calibrationVersion: null,
  status: null,
} as const;
