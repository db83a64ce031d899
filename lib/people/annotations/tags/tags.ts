import { z } from "zod";

import { isSameTrial, type TrialIdentity } from "@/lib/core/domain/annotation";
import { ForbiddenError, NotFoundError } from "@/lib/core/domain/app-error";
import type { ImportedTag, ToolTag } from "@/lib/core/domain/imported-tag";
import { toColumnText } from "@/lib/store/database";

import { insertStatements } from "../insert";
import { check } from "../issues";
import type { Actor } from "../owner";
import { type AnnotationDb, parseJson } from "../record";
import type { AnnotationStore } from "../store";
import { timeColumn } from "../stored-columns";
import type { ImportedTagTable } from "../tables";
import { tagEvidenceSchema } from "./evidence";

export interface StandingTag extends ToolTag {
  readonly trial: TrialIdentity;
}

export interface TagImport {
  readonly importId: string;
  readonly author: string;
  readonly createdAt: string;
  readonly nTags: number;
  readonly sources: readonly string[];
  readonly browserKeyHash: string | null;
}

export interface ImportedTags {
  readonly standing: readonly StandingTag[];
  readonly imports: readonly TagImport[];
  readonly version: number;
  readonly problem: string | null;
}

interface Read {
  readonly tags: readonly (StandingTag & { readonly importId: string })[];
  readonly imports: ReadonlyMap<string, z.output<typeof importSchema>>;
  readonly undone: ReadonlySet<string>;
  readonly lastTag: number;
  readonly lastImport: number;
  readonly problem: string | null;
  readonly result: ImportedTags;
}

const NO_TAGS: ImportedTags = { standing: [], imports: [], version: 0, problem: null };

const NOTHING: Read = {
  tags: [],
  imports: new Map(),
  undone: new Set(),
  lastTag: 0,
  lastImport: 0,
  problem: null,
  result: NO_TAGS,
};

const known = new WeakMap<AnnotationDb, Read>();

/** Returns valid tags without descriptions; the same object until they change. @throws StoreError */
export function readImportedTags(store: AnnotationStore): Promise<ImportedTags> {
  return store.read(NO_TAGS, async (db) => {
    const read = await readFurther(db, known.get(db) ?? NOTHING);
    known.set(db, read);
    return read.result;
  });
}

const importSchema = z.object({
  import_id: z.string(),
  kind: z.enum(["imported", "undone"]),
  author: z.string(),
  created_at: timeColumn,
  browser_key_hash: z.string().nullable(),
});

async function readFurther(db: AnnotationDb, before: Read): Promise<Read> {
  // Tags first: a concurrent import then has no tags yet and counts from the next read.
  const rows = await db
    .selectFrom("imported_tag")
    .select(["seq", "import_id", "trial_id", "job_id", "trial_name", "job_name", "source", "category"])
    .where("seq", ">", before.lastTag)
    .orderBy("seq")
    .execute();
  const events = await db
    .selectFrom("tag_import")
    .selectAll()
    .where("seq", ">", before.lastImport)
    .orderBy("seq")
    .execute();
  if (rows.length + events.length === 0) return before;
  const imports = new Map(before.imports);
  const undone = new Set(before.undone);
  let { problem } = before;
  for (const row of events) {
    const parsed = check(importSchema, row);
    if (!parsed.success)
      problem ??= `Row ${String(row.seq)} of the table tag_import cannot be read, and its tags count for nothing. Update Assay if a newer version wrote it.`;
    else if (parsed.data.kind === "undone") undone.add(parsed.data.import_id);
    else imports.set(parsed.data.import_id, parsed.data);
  }
  const tags = [
    ...before.tags,
    ...rows.map((row) => ({
      importId: row.import_id,
      trial: readIdentity(row),
      source: row.source,
      category: row.category,
    })),
  ];
  const read = {
    tags,
    imports,
    undone,
    lastTag: rows.at(-1)?.seq ?? before.lastTag,
    lastImport: events.at(-1)?.seq ?? before.lastImport,
    problem,
  };
  return { ...read, result: summarise(read) };
}

function summarise({
  tags,
  imports,
  undone,
  lastTag,
  lastImport,
  problem,
}: Omit<Read, "result">): ImportedTags {
  const standing = tags.filter(({ importId }) => imports.has(importId) && !undone.has(importId));
  const byImport = Map.groupBy(standing, ({ importId }) => importId);
  return {
    standing,
    imports: [...byImport]
      .flatMap(([importId, own]): TagImport[] => {
        const made = imports.get(importId);
        if (made === undefined) return [];
        const { author, created_at: createdAt, browser_key_hash: browserKeyHash } = made;
        const sources = [...new Set(own.map(({ source }) => source))];
        return [{ importId, author, createdAt, browserKeyHash, nTags: own.length, sources }];
      })
      .toReversed(),
    version: lastTag + lastImport,
    problem,
  };
}

function readIdentity(
  row: Pick<ImportedTagTable, "trial_id" | "job_id" | "trial_name" | "job_name">,
): TrialIdentity {
  return {
    trialId: row.trial_id,
    jobUuid: row.job_id,
    trialName: row.trial_name,
    jobName: row.job_name,
  };
}

export function readTrialTags(store: AnnotationStore, trial: TrialIdentity): Promise<readonly ImportedTag[]> {
  return store.read<readonly ImportedTag[]>([], async (db) => {
    const tags = await selectStandingTags(db, trial.trialName);
    return tags.filter((tag) => isSameTrial(tag.trial, trial));
  });
}

/** Selects valid tags, optionally by trial name. Manually edited evidence is read as a quote. */
export async function selectStandingTags(
  db: AnnotationDb,
  trialName: string | null = null,
): Promise<readonly ImportedTag[]> {
  const isUndone = db.selectFrom("tag_import").select("import_id").where("kind", "=", "undone");
  let query = db.selectFrom("imported_tag").selectAll().where("import_id", "not in", isUndone).orderBy("seq");
  if (trialName !== null) query = query.where("trial_name", "=", toColumnText(trialName));
  return (await query.execute()).map((row) => {
    const { source, category, description } = row;
    const evidence = check(tagEvidenceSchema, parseJson(row.evidence));
    const shown = evidence.success ? evidence.data : [row.evidence];
    return { trial: readIdentity(row), source, category, description, evidence: shown };
  });
}

export async function insertTags(
  db: AnnotationDb,
  tags: readonly ImportedTag[],
  made: { readonly importId: string; readonly author: string; readonly actor: Actor; readonly now: Date },
): Promise<void> {
  const { importId: import_id, author, actor, now } = made;
  const event = {
    import_id,
    kind: "imported" as const,
    author,
    created_at: now.toISOString(),
    browser_key_hash: actor.browserKeyHash,
  };
  await insertStatements(db, "tag_import", [event]);
  const rows = tags.map(({ trial, source, category, description, evidence }) => ({
    import_id,
    trial_id: trial.trialId,
    job_id: trial.jobUuid,
    trial_name: trial.trialName,
    job_name: trial.jobName,
    source,
    category,
    description,
    evidence: JSON.stringify(evidence),
  }));
  await insertStatements(db, "imported_tag", rows);
}

/** True for the importing browser, admins, and imports of an unknown browser. */
export function mayUndoImport({ browserKeyHash }: Pick<TagImport, "browserKeyHash">, actor: Actor): boolean {
  return actor.isAdmin || browserKeyHash === null || browserKeyHash === actor.browserKeyHash;
}

/** Undoes a whole tag import; importing again restores it. @throws NotFoundError; ForbiddenError for another browser */
export async function undoTagImport(
  store: AnnotationStore,
  { importId, author, actor }: { readonly importId: string; readonly author: string; readonly actor: Actor },
  now: Date = new Date(),
): Promise<void> {
  await store.write(async (db) => {
    const events = await db.selectFrom("tag_import").selectAll().where("import_id", "=", importId).execute();
    const [made, ...others] = events;
    if (made === undefined || others.length > 0) throw new NotFoundError("There is no such import to undo.");
    if (!mayUndoImport({ browserKeyHash: made.browser_key_hash }, actor))
      throw new ForbiddenError(
        "These tags were imported in another browser, and only that one or an admin can undo it.",
      );
    const undo = {
      import_id: importId,
      kind: "undone" as const,
      author,
      created_at: now.toISOString(),
      browser_key_hash: actor.browserKeyHash,
    };
    await insertStatements(db, "tag_import", [undo]);
  });
}
