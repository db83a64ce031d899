import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { BUNDLED_SCANNERS } from "./bundled";
import { isRefused, parseScanner, type RefusedScanner, type ScannerSource } from "./scanner-file";
import type { Scanner } from "./scanner";
import { TimedMatcher } from "./timed-matcher";

export interface ScannerSet {
  /** The user's own first, each by id. */
  readonly scanners: readonly Scanner[];
  readonly refused: readonly RefusedScanner[];
  /** Equal for sets of the same files. */
  readonly fingerprint: string;
  readonly matcher: TimedMatcher;
}

/** Name of the folder of a user's own scanners in the data folder. */
export const SCANNER_FOLDER = "scanners";

/** Files in the folder of a user's own scanners, and bytes of one of them. */
const MOST_FILES = 200;
const MOST_BYTES = 64 << 10;

/**
 * Reads the files of a user's own scanners, `*.toml` in the folder `scanners` of Assay's data folder. One that cannot be read, or
 * is too long, is an empty text, which is then refused.
 * @param dataFolder - absolute; it need not be there
 */
export function readOwnScanners(dataFolder: string): readonly ScannerSource[] {
  const folder = join(dataFolder, SCANNER_FOLDER);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".toml"));
  return names
    .sort()
    .slice(0, MOST_FILES)
    .map((file) => ({ file, text: readScannerFile(join(folder, file)), isOwn: true }));
}

/** The text of a scanner's file; empty for one that cannot be read or is too long. */
export function readScannerFile(path: string): string {
  try {
    return statSync(path).size > MOST_BYTES ? "" : readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Own scanners together with those that come along. An own one takes the place of one of the same id that comes along. */
export function prepareScannerSet(own: readonly ScannerSource[]): ScannerSet {
  const matcher = new TimedMatcher();
  const scanners = new Map<string, Scanner>();
  const refused: RefusedScanner[] = [];
  for (const source of [...own, ...BUNDLED_SCANNERS]) {
    const parsed = parseScanner(source, matcher);
    if (isRefused(parsed)) refused.push(parsed);
    else if (!scanners.has(parsed.id)) scanners.set(parsed.id, parsed);
    else if (parsed.isOwn)
      refused.push({ file: parsed.file, line: 1, reason: `Another file has the id ${parsed.id} too.` });
  }
  return { scanners: [...scanners.values()], refused, fingerprint: fingerprintScanners(own), matcher };
}

/** What tells a set from others: equal for the same own files beside the same that come along. */
export function fingerprintScanners(own: readonly ScannerSource[]): string {
  const hash = createHash("sha256");
  for (const { file, text } of [...own, ...BUNDLED_SCANNERS]) hash.update(JSON.stringify([file, text]));
  return hash.digest("hex").slice(0, 12);
}
