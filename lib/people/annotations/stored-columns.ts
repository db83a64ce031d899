import { hash } from "node:crypto";

import { z } from "zod";

import { OUTCOMES } from "@/lib/core/domain/trial";
import { listNames } from "@/lib/core/format/list-names";
import { toColumnText } from "@/lib/store/database";

import { readFirstIssue } from "./issues";

export interface UnreadableRow {
  readonly seq: number;
  readonly problem: string;
  readonly columns: Readonly<Record<string, unknown>>;
}

export function describeUnreadable(place: string, rows: readonly UnreadableRow[], noun = "row") {
  if (rows.length === 0) return null;
  const named = listNames(
    rows.map((row) => describeRow(noun, row)),
    "; ",
  );
  const [what, which] =
    rows.length === 1
      ? [`a ${noun}`, "It is not counted"]
      : [`${String(rows.length)} ${noun}s`, "They are not counted"];
  return (
    `The annotations in ${place} have ${what} that cannot be read: ${named}. ` +
    `${which}, and exports end with their stored content. ` +
    "Update Assay if a newer version wrote them, otherwise correct the table or restore a backup, and start again."
  );
}

const OF_TRIALS: readonly unknown[] = ["judgment", "decision", "suggestion_answer", "imported_tag"];

function describeRow(noun: string, { seq, problem, columns }: UnreadableRow): string {
  const trial = columns["subject"];
  const about =
    typeof trial === "string" && OF_TRIALS.includes(columns["kind"]) ? ` (trial ${trial.slice(0, 80)})` : "";
  return `${noun} ${String(seq)}${about} ${problem}`;
}

export type StoredRow = Readonly<Record<string, unknown>>;

/** Base64 characters, 132 bits. */
const LENGTH = 22;

/**
 * Returns part of the SHA-256 of a row, equal on both engines. Skips the number, which the database gives, and nulls: a later
 * column keeps the checksums of earlier rows if its default is null.
 */
export function computeChecksum(table: string, row: StoredRow): string {
  const number = table === "codebook_change" ? "version" : "seq";
  const columns = Object.keys(row)
    .filter((name) => name !== number && name !== "checksum" && (row[name] ?? null) !== null)
    .toSorted()
    .map((name) => [name, typeof row[name] === "string" ? toColumnText(row[name]) : row[name]]);
  return hash("sha256", JSON.stringify([table, columns]), "base64").slice(0, LENGTH);
}

export function nameNumber(table: string): "version" | "position" | "seq" {
  if (table === "review_queue_item") return "position";
  return table === "codebook_change" ? "version" : "seq";
}

/** True also for a row of a file from before there were checksums, which has no such column. */
export function isIntact(table: string, row: StoredRow): boolean {
  return row["checksum"] === undefined || row["checksum"] === computeChecksum(table, row);
}

export const MISMATCH = "does not match its checksum";

/** Omits the browser key, which is never shown or exported. */
export function describeDamaged(row: StoredRow): UnreadableRow {
  const { actor: _, checksum: __, ...columns } = row;
  return { seq: Number(row["seq"]), problem: `of the table statement ${MISMATCH}`, columns };
}

export const timeColumn = z.string().refine((text) => !Number.isNaN(Date.parse(text)), "not a time");

export const trialSchema = z.object({
  trialId: z.string().nullable(),
  jobUuid: z.string().nullable(),
  trialName: z.string(),
  jobName: z.string(),
});

export const subjectSchema = trialSchema.extend({
  rootLabel: z.string(),
  taskName: z.string(),
  agent: z.string(),
  model: z.string().nullable(),
  /** An outcome of a later release reads as `unscored`. */
  outcomeSeen: z.string().pipe(z.enum(OUTCOMES).catch("unscored")),
  rewardSeen: z.string().nullable(),
});

export function describeWrongColumn(error: z.ZodError): string {
  const { field, message } = readFirstIssue(error);
  const [column = "", ...inside] = (field || "kind").split(".");
  const place = inside.length === 0 ? "" : `${inside.join(".")}: `;
  return `with a wrong column ${column} (${place}${message.replace(/\.$/, "")})`;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
