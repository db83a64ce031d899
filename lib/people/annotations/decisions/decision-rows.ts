import { z } from "zod";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import { type Judgment, JUDGMENTS } from "@/lib/core/domain/judgment";
import { DECISION_BASES, type DecisionBasis } from "@/lib/core/domain/review";

import { check } from "../issues";
import { type AnnotationDb, parseJson } from "../record";
import { describeWrongColumn, readSubject, SUBJECT_SHAPE, timeColumn } from "../stored-columns";
import type { UnreadableRow } from "../unreadable-row";

export interface Decision {
  readonly decisionId: string;
  readonly subject: AnnotationSubject;
  readonly finalJudgment: Judgment | null;
  readonly categories: readonly string[];
  readonly reason: string;
  readonly basedOn: DecisionBasis | null;
  readonly codebookNote: string | null;
  readonly decidedBy: string;
  readonly decidedAt: string;
  readonly sources: readonly string[];
  readonly queueId: string | null;
  readonly codebookVersion: number;
}

const texts = z.string().transform(parseJson).pipe(z.array(z.string()).catch([]));

const rowSchema = z
  .object({
    ...SUBJECT_SHAPE,
    decision_id: z.string(),
    withdraws: z.string().nullable(),
    final_judgment: z.enum(JUDGMENTS).nullable(),
    categories: texts,
    reason: z.string().nullable(),
    based_on: z.enum(DECISION_BASES).nullable(),
    codebook_note: z.string().nullable(),
    decider_key: z.string(),
    decided_by: z.string(),
    created_at: timeColumn,
    sources: texts,
    queue_id: z.string().nullable(),
    codebook_version: z.number(),
    browser_key_hash: z.string().nullable(),
  })
  .transform((row): DecisionEvent => {
    const decision: Decision = {
      decisionId: row.decision_id,
      subject: readSubject(row),
      finalJudgment: row.final_judgment,
      categories: row.categories,
      reason: row.reason ?? "",
      basedOn: row.based_on,
      codebookNote: row.codebook_note,
      decidedBy: row.decided_by,
      decidedAt: row.created_at,
      sources: row.sources,
      queueId: row.queue_id,
      codebookVersion: row.codebook_version,
    };
    return {
      decision,
      deciderKey: row.decider_key,
      withdraws: row.withdraws,
      browserKeyHash: row.browser_key_hash,
    };
  });

export interface DecisionEvent {
  readonly decision: Decision;
  readonly deciderKey: string;
  readonly withdraws: string | null;
  readonly browserKeyHash: string | null;
}

export interface DecisionRows {
  readonly events: readonly DecisionEvent[];
  readonly unreadable: readonly UnreadableRow[];
}

export async function selectDecisionRows(
  db: AnnotationDb,
  after = 0,
): Promise<DecisionRows & { readonly last: number }> {
  const rows = await db
    .selectFrom("adjudication")
    .selectAll()
    .where("seq", ">", after)
    .orderBy("seq")
    .execute();
  return { ...readDecisionRows(rows), last: rows.at(-1)?.seq ?? after };
}

export function readDecisionRows(rows: readonly ({ readonly seq: number } & object)[]): DecisionRows {
  const events: DecisionEvent[] = [];
  const unreadable: UnreadableRow[] = [];
  for (const row of rows) {
    const parsed = check(rowSchema, row);
    if (parsed.success) {
      events.push(parsed.data);
      continue;
    }
    // The browser key is never shown or exported.
    const columns = { ...row, browser_key_hash: null };
    unreadable.push({ seq: row.seq, problem: describeWrongColumn(parsed.error), columns });
  }
  return { events, unreadable };
}
