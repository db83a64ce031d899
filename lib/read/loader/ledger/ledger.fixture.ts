import type { FolderFiles } from "@/lib/testing/folder.fixture";

import onDisk from "./conformance/on-disk.json" with { type: "json" };

/** An experiment of two trials as the ledger's own writers left it: one record of each version, with reviewers' files. */
export const WRITTEN: FolderFiles = { ...onDisk.head, ...onDisk.first };

/** One of the written files as an object. */
export function written(path: string): FolderFiles {
  const content = WRITTEN[path];
  if (typeof content !== "object" || content === null) throw new Error(`nothing was written at ${path}`);
  return { ...content };
}

export const EXPERIMENT = "ledger/experiment-001";
export const SECOND = `${EXPERIMENT}/trial-001.json`;
export const FIRST = `${EXPERIMENT}/brisbane-8rm__BHVuXg2.json`;

/** The written record of version 2; `over` replaces top-level fields. */
export function secondRecord(over: FolderFiles = {}): FolderFiles {
  return { ...onDisk.head[SECOND], ...over };
}

/** The written record of version 1; `over` replaces top-level fields. */
export function firstRecord(over: FolderFiles = {}): FolderFiles {
  return { ...onDisk.first[FIRST], ...over };
}

/** The evaluation of both records without its other parts; `over` replaces fields. */
export function evaluation(over: FolderFiles = {}): FolderFiles {
  const validity = { output_parseable: true, schema_valid: true, verifier_completed: true, errors: [] };
  return { reward: 0.93, validity, ...over };
}

/** The manifest of the run that the record of version 2 belongs to. */
export const MANIFEST = `${EXPERIMENT}/_runs/cf07f92a3f6238da5772965215fd188e01e86bcb6b35c961d8f5644653269958.json`;
