import { hash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { SCANNER_FOLDER } from "@/lib/core/domain/own-folders";

import { BUNDLED_SCANNERS } from "./bundled";
import type { Scanner } from "./scanner";
import { isRefused, parseScanner, type RefusedScanner, type ScannerSource } from "./scanner-file";

export interface ScannerSet {
  /** User-defined first, each group by id. */
  readonly scanners: readonly Scanner[];
  readonly refused: readonly RefusedScanner[];
  readonly fingerprint: string;
}

const MOST_FILES = 200;
const MOST_BYTES = 64 << 10;
let bundled: readonly (Scanner | RefusedScanner)[] | null = null;

/** Reads `scanners/*.toml`. An unreadable or overlong file is an empty text, which is then rejected. */
export function readOwnScanners(dataFolder: string): readonly ScannerSource[] {
  const folder = join(dataFolder, SCANNER_FOLDER);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".toml"));
  return names
    .sort()
    .slice(0, MOST_FILES)
    .map((file) => ({ file, text: readScannerFile(join(folder, file)), isOwn: true }));
}

export function readScannerFile(path: string): string {
  try {
    return statSync(path).size > MOST_BYTES ? "" : readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** User-defined scanners override bundled ones with the same id. */
export function prepareScannerSet(own: readonly ScannerSource[]): ScannerSet {
  const scanners = new Map<string, Scanner>();
  const refused: RefusedScanner[] = [];
  bundled ??= BUNDLED_SCANNERS.map(parseScanner);
  for (const parsed of [...own.map(parseScanner), ...bundled]) {
    if (isRefused(parsed)) refused.push(parsed);
    else if (!scanners.has(parsed.id)) scanners.set(parsed.id, parsed);
    else if (parsed.isOwn)
      refused.push({ file: parsed.file, line: 1, reason: `Another file also has the id ${parsed.id}.` });
  }
  return { scanners: [...scanners.values()], refused, fingerprint: fingerprintScanners(own) };
}

export function fingerprintScanners(own: readonly ScannerSource[]): string {
  const texts = [...own, ...BUNDLED_SCANNERS].map(({ file, text }) => JSON.stringify([file, text]));
  return hash("sha256", texts.join(""), "hex").slice(0, 12);
}
