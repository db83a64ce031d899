import type { ScanExtent, ScannerInfo, ScanPlace } from "@/lib/core/domain/scanner";

import { integer, json, orNull, table, text } from "./table";

export const SCAN_TABLES = {
  scanners: table(
    {
      id: text(),
      position: integer(),
      fingerprint: text(),
      file: text(),
      isOwn: integer(),
      info: json<ScannerInfo>(),
    },
    { key: ["id"] },
  ),
  refusedScanners: table(
    { position: integer(), file: text(), line: integer(), reason: text() },
    { key: ["position"] },
  ),
  /** A scanned trial; kept, like its texts, while its files do not change. */
  scannedTrials: table(
    {
      jobRowId: integer(),
      position: orNull(integer()),
      key: text(),
      /** Stamp of its files when scanned; empty to force a new scan. */
      stamp: text(),
      /** Stamped files besides the standard ones, as JSON. */
      files: text(),
      /** Fingerprints of the scanners that ran, separated by spaces. */
      done: text(),
      extent: text<ScanExtent>(),
    },
    {
      indexes: [
        { columns: ["jobRowId", "position", "extent"], rows: "100000 1000 1 1" },
        {
          columns: ["jobRowId", "key"],
          postgres: { column: "key", isHashed: true },
          rows: "100000 1000 1",
        },
      ],
    },
  ),
  trialScans: table(
    {
      jobRowId: integer(),
      position: orNull(integer()),
      key: text(),
      scanner: text(),
      version: integer(),
      /** Number of all places; 0 only if the scanner was stopped before it found one. */
      nPlaces: integer(),
      places: json<readonly ScanPlace[]>(),
      stopped: orNull(text()),
    },
    {
      indexes: [
        { columns: ["jobRowId", "position", "scanner", "nPlaces"], rows: "50000 500 1 1 1" },
        { columns: ["scanner", "jobRowId", "position", "nPlaces"], rows: "50000 2500 100 1 1" },
      ],
    },
  ),
} as const;
