import { inflateRawSync } from "node:zlib";

import { type RawBuilder, sql, type SqlBool } from "kysely";

import type { TextPiece } from "@/lib/domain/search-excerpt";
import { parseSearch, type SearchTerm } from "@/lib/domain/search-text";

import { contains, containsText, countRows, isAt, isOfJobs, type JobScope, type RowPlace } from "./query";
import type { IndexStore } from "../open-store";

const SEARCH = sql.table("trialSearch");

/** Conditions on rows of `trials`, with the row of their texts as `textId`, for a text that is looked for. */
export interface TextMatch {
  /** Found at all: the text in the trial's name, task or exception, in its job's name where trials of several are looked through, or each of its terms in what the trial says. */
  readonly isFound: RawBuilder<SqlBool>;
  /** Found by name: the same, in names of tests and the whole exception too. */
  readonly isNamed: RawBuilder<SqlBool>;
}

/**
 * What a search asks of trials.
 *
 * @param textId - column with the id of their row of `trialTexts`
 * @param jobs - whose trials are looked through: the name of one job alone tells none of them from another
 */
export function matchText(
  { engine }: Pick<IndexStore, "engine">,
  text: string,
  { textId, jobs }: { readonly textId: string; readonly jobs: JobScope },
): TextMatch {
  const inTrial = contains("trials.search", text.toLowerCase());
  const inRow = typeof jobs === "number" ? inTrial : sql<SqlBool>`(${inTrial} or ${isOfNamedJob(text)})`;
  const terms = parseSearch(text);
  if (terms.length === 0) return { isFound: inRow, isNamed: inRow };
  const select = engine === "sqlite" ? selectBySqlite : selectByPostgres;
  const among = (isNames: boolean) => {
    const all = select(terms, isNames).map((ids) => sql`${sql.ref(textId)} in (${ids})`);
    return sql<SqlBool>`(${inRow} or (${sql.join(all, sql` and `)}))`;
  };
  return { isFound: among(false), isNamed: among(true) };
}

/** A condition: the text is in the name or key of the trial's job. The jobs are looked through once. */
function isOfNamedJob(text: string): RawBuilder<SqlBool> {
  const isNamed = sql`${containsText(sql.ref("named.name"), text)} or ${contains("named.keySearch", text.toLowerCase())}`;
  return sql`${sql.ref("trials.jobRowId")} in (select named.id from ${sql.table("jobs")} as named where ${isNamed})`;
}

/** Words stand in quotes and hold letters and digits alone, so that nothing of a search is syntax. */
function selectBySqlite(terms: readonly SearchTerm[], isNames: boolean) {
  const all = terms.map(({ tokens, isPrefix }) => `"${tokens.join(" ")}"${isPrefix ? " *" : ""}`);
  const query = `${isNames ? "names : " : ""}(${all.join(" AND ")})`;
  return [sql`select rowid from ${SEARCH} where ${SEARCH} match ${query}`];
}

/** Each term may be in another row of the trial. */
function selectByPostgres(terms: readonly SearchTerm[], isNames: boolean) {
  const find = sql.id(isNames ? "findNamedTexts" : "findTexts");
  return terms.map((term) => sql`select * from ${find}(${writeTsquery(term)}::tsquery)`);
}

/** Two words that follow each other are in the index as one; longer phrases are looked up by these, then by their places. */
function writeTsquery({ tokens, isPrefix }: SearchTerm): string {
  const end = isPrefix ? ":*" : "";
  const [first, ...rest] = tokens;
  if (rest.length === 0) return `'${first}'${end}`;
  const pairs = rest.map((token, at) => `' ${tokens[at]} ${token}'`).join(" & ");
  return rest.length === 1
    ? `${pairs}${end}`
    : `${pairs}${end} & (${tokens.map((token) => `'${token}'`).join(" <-> ")}${end})`;
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

/** Returns the trials of which only a part can be searched, of a job or of all jobs (null). */
export async function readCutPlaces(
  { db }: IndexStore,
  jobRowId: number | null,
): Promise<readonly RowPlace[]> {
  const places = await db
    .selectFrom("trialTexts")
    .select(["jobRowId", "position"])
    .$if(jobRowId !== null, (query) => query.where("jobRowId", "=", jobRowId))
    .where("isCut", "=", 1)
    .execute();
  return places.flatMap(({ position, ...place }) => (position === null ? [] : [{ ...place, position }]));
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
