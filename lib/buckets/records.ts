import type { Rank } from "./listing";

/** Above it no reader opens a document, see `FILE_LIMITS` of lib/loader. */
const MOST_DOCUMENT_BYTES = 64 << 20;
/** What other JSON files beside results have at most: records of a ledger, reports of tests, analyses. */
const MOST_OTHER_JSON_BYTES = 16 << 20;

const DOCUMENT =
  /(?:^|\/)(?:(?:result|config|lock|reward|reward-details|details|analysis|manifest)\.json|job\.log|harbor\.sqlite3(?:-wal)?)$/u;
const SMALL = /(?:\.json|(?:^|\/)(?:reward|exception)\.txt)$/u;
/** What agents wrote: any number of files of any name. */
const AGENTS_OWN = /(?:^|\/)(?:agent|user-agent|artifacts|environment)\//u;

/** Whether an object is part of what results are made of, which is fetched first and kept. @param path - below the opened prefix */
export function rankObject(path: string, size: number): Rank {
  if (AGENTS_OWN.test(path)) return "other";
  if (DOCUMENT.test(path)) return size <= MOST_DOCUMENT_BYTES ? "record" : "other";
  return SMALL.test(path) && size <= MOST_OTHER_JSON_BYTES ? "record" : "other";
}
