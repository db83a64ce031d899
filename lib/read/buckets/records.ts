import type { Rank } from "./listing";

/** Readers open no larger document, see `FILE_LIMITS` of lib/read/loader. */
const MOST_DOCUMENT_BYTES = 64 << 20;
/** Ledger records, test reports, analyses. */
const MOST_OTHER_JSON_BYTES = 16 << 20;

const DOCUMENT =
  /(?:^|\/)(?:(?:result|config|lock|reward|reward-details|details|analysis|manifest)\.json|job\.log|harbor\.sqlite3(?:-wal)?)$/u;
const SMALL = /(?:\.json|(?:^|\/)(?:reward|exception)\.txt)$/u;
const AGENTS_OWN = /(?:^|\/)(?:agent|user-agent|artifacts|environment)\//u;

export function rankObject(path: string, size: number): Rank {
  if (AGENTS_OWN.test(path)) return "other";
  if (DOCUMENT.test(path)) return size <= MOST_DOCUMENT_BYTES ? "record" : "other";
  return SMALL.test(path) && size <= MOST_OTHER_JSON_BYTES ? "record" : "other";
}
