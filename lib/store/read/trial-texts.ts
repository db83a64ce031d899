import { inflateRawSync } from "node:zlib";

import { type RawBuilder, sql, type SqlBool } from "kysely";

import { parseSearch, type SearchTerm } from "@/lib/domain/search-text";

import { contains, countRows, isAt, isOfJobs, type RowPlace } from "./query";
import type { IndexStore } from "../open-store";
import type { TextPiece } from "../schema/stored-values";

const SEARCH = sql.table("trialSearch");

/** Conditions on rows of `trials` for a text that is looked for. */
export interface TextMatch {
  /** Found at all: the text in the trial's name, task or exception, or each of its terms in what the trial says. */
  readonly isFound: RawBuilder<SqlBool>;
  /** Found by name: the same, in names of tests and the whole exception too. */
  readonly isNamed: RawBuilder<SqlBool>;
}

/** What a search asks of trials. */
export function matchText({ engine }: Pick<IndexStore, "engine">, text: string): TextMatch {
  const inRow = contains("trials.search", text.toLowerCase());
  const terms = parseSearch(text);
  if (terms.length === 0) return { isFound: inRow, isNamed: inRow };
  const find = engine === "sqlite" ? selectBySqlite : selectByPostgres;
  const among = (isNames: boolean) =>
    sql<SqlBool>`(${inRow} or (${sql.ref("trials.jobRowId")}, ${sql.ref("trials.position")}) in (
      select ${sql.ref("jobRowId")}, position from ${sql.table("trialTexts")} where ${find(terms, isNames)}))`;
  return { isFound: among(false), isNamed: among(true) };
}

/** Words stand in quotes and hold letters and digits alone, so that nothing of a search is syntax. */
function selectBySqlite(terms: readonly SearchTerm[], isNames: boolean) {
  const all = terms.map(({ tokens, isPrefix }) => `"${tokens.join(" ")}"${isPrefix ? " *" : ""}`);
  const query = `${isNames ? "names : " : ""}(${all.join(" AND ")})`;
  return sql`id in (select rowid from ${SEARCH} where ${SEARCH} match ${query})`;
}

/** Each term may be in another row of the trial. */
function selectByPostgres(terms: readonly SearchTerm[], isNames: boolean) {
  const names = isNames ? sql` and ${sql.ref("isNames")}` : sql``;
  const all = terms.map(({ tokens, isPrefix }) => {
    const query = `${tokens.map((token) => `'${token}'`).join(" <-> ")}${isPrefix ? ":*" : ""}`;
    return sql`id in (select ${sql.ref("textId")} from ${SEARCH} where words @@ ${query}::tsquery${names})`;
  });
  return sql.join(all, sql` and `);
}

/**
 * Runs queries with {@link matchText} where PostgreSQL goes by the index of words. By itself it reads every row where a word
 * is in many, since its costs leave out that the words of a row lie elsewhere and are packed: 1,400 ms instead of 60.
 */
export function planForWords<T>(
  store: IndexStore,
  text: string,
  run: (store: IndexStore) => Promise<T>,
): Promise<T> {
  if (store.engine === "sqlite" || text === "") return run(store);
  return store.db.transaction().execute(async (db) => {
    await sql`set local enable_seqscan = off`.execute(db);
    // What cannot go by an index is taken for so dear by then that it would be compiled first.
    await sql`set local jit = off`.execute(db);
    return run({ ...store, db });
  });
}

/** What some trials say, by row id of the job and position as `1 2`; a trial whose texts were not read is absent. */
export async function readTexts(
  store: IndexStore,
  places: readonly RowPlace[],
): Promise<ReadonlyMap<string, readonly TextPiece[]>> {
  if (places.length === 0) return new Map();
  const rows = await store.db
    .selectFrom("trialTexts")
    .select(["jobRowId", "position", "texts"])
    .where(isAt(store, "trialTexts", places))
    .execute();
  return new Map(
    rows.map(({ jobRowId, position, texts }) => [`${jobRowId} ${position}`, decodeTexts(texts)]),
  );
}

/** Far more than any trial's texts come to. */
const MOST_BYTES = 16 << 20;

function decodeTexts(texts: string): readonly TextPiece[] {
  const plain = inflateRawSync(Buffer.from(texts, "base64"), { maxOutputLength: MOST_BYTES });
  const pieces = JSON.parse(plain.toString()) as readonly [TextPiece["kind"], string, string][]; // See encodeTexts.
  return pieces.map(([kind, key, text]) => ({ kind, key, text }));
}

/** How far the texts of some jobs' trials are read. */
export interface SearchState {
  readonly nTrials: number;
  /** Trials of these whose texts can be searched. */
  readonly nSearchable: number;
  /** Trials of which only a part can be. */
  readonly nCut: number;
}

/** Says how far the texts of a job's trials are read, or of all jobs' (null). */
export async function readSearchState(store: IndexStore, jobs: number | null): Promise<SearchState> {
  const read = store.db
    .selectFrom("trialTexts")
    .where(isOfJobs(store, "jobRowId", jobs))
    .where("position", "is not", null);
  const [nTrials, nSearchable, nCut] = await Promise.all([
    countRows(store.db.selectFrom("trials").where(isOfJobs(store, "jobRowId", jobs))),
    countRows(read),
    countRows(read.where("isCut", "=", 1)),
  ]);
  return { nTrials, nSearchable, nCut };
}
