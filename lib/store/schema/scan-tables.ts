import type { ScanExtent, ScannerInfo, ScanPlace } from "@/lib/domain/scanner";

import { integer, json, orNull, table, text } from "./table";

/** Tables of what scanners find in trajectories and files. They run after everything else was read. */
export const SCAN_TABLES = {
  /** A scanner of the set that trials are looked through with. */
  scanners: table(
    {
      id: text(),
      /** In the order of the set, from 0. */
      position: integer(),
      /** Equal for files of the same text. */
      fingerprint: text(),
      file: text(),
      /** 1 for one of the user's own. */
      isOwn: integer(),
      info: json<ScannerInfo>(),
    },
    { key: ["id"] },
  ),
  /** A file that is no scanner. */
  refusedScanners: table(
    { position: integer(), file: text(), line: integer(), reason: text() },
    { key: ["position"] },
  ),
  /** A trial that was looked through; kept, as its texts are, while its files are as they were. */
  scannedTrials: table(
    {
      jobRowId: integer(),
      /** The trial's, here as it is now; null once there is no such trial. */
      position: orNull(integer()),
      key: text(),
      /** Of its files when it was looked through; empty when that is to be done again in any case. */
      stamp: text(),
      /** Files that the stamp is of beside those that it always is, as JSON. */
      files: text(),
      /** Fingerprints of the scanners that ran, a blank between them. */
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
      /** The trial's, here as it is now; null once there is no such trial. */
      position: orNull(integer()),
      key: text(),
      scanner: text(),
      version: integer(),
      /** All places; 0 only where it was stopped before it found one. */
      nPlaces: integer(),
      /** The first of them. */
      places: json<readonly ScanPlace[]>(),
      /** Why it did not look through everything, as a sentence; null when it did. */
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
