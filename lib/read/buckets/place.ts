import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { BUCKETS_FOLDER, type BucketAddress } from "@/lib/core/domain/bucket";
import { LOAD_ISSUE_CODES, type LoadIssue } from "@/lib/core/domain/load-issue";

export type BucketEnvironment = Readonly<Record<string, string | undefined>>;

export type MirrorPlace = ReturnType<typeof findMirrorPlace>;

const STATE_FILE = ".state.json";

/** Includes server and profile, since the same name is another bucket there. */
export function findMirrorPlace(
  { bucket, text }: BucketAddress,
  dataFolder: string,
  environment: BucketEnvironment,
) {
  const server = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_PROFILE"].map(
    (name) => environment[name] ?? "",
  );
  const id = createHash("sha256")
    .update(JSON.stringify([text, ...server]))
    .digest("hex");
  const base = join(dataFolder, BUCKETS_FOLDER, `${bucket}-${id.slice(0, 8)}`);
  return {
    base,
    files: join(base, text.slice(text.lastIndexOf("/") + 1)),
    parts: join(base, ".parts"),
    listing: join(base, ".listing.sqlite"),
    state: join(base, STATE_FILE),
  };
}

export interface MirrorState {
  /** False until all results have arrived: a partial mirror must not look complete. */
  readonly isComplete: boolean;
  readonly issues: readonly LoadIssue[];
}

const UNKNOWN: MirrorState = { isComplete: false, issues: [] };

/** Null if the folder is no mirror; incomplete if its state cannot be read. */
export function readMirrorState(folder: string): MirrorState | null {
  if (!folder.includes(`/${BUCKETS_FOLDER}/`)) return null;
  try {
    const text = readFileSync(join(dirname(folder), STATE_FILE), "utf8");
    const state = JSON.parse(text) as Partial<MirrorState>; // This program wrote it.
    const issues = (state.issues ?? []).filter(({ code }) => code in LOAD_ISSUE_CODES);
    return { isComplete: state.isComplete === true, issues };
  } catch {
    return UNKNOWN;
  }
}

export interface MirrorStatus {
  readonly phase: "listing" | "fetching" | "idle";
  readonly isComplete: boolean;
  /** Count of the running listing, or of the last one. */
  readonly nListed: number;
  readonly nFetched: number;
  readonly nToFetch: number;
  readonly problem: string | null;
}

export const NO_STATUS: MirrorStatus = {
  phase: "idle",
  isComplete: false,
  nListed: 0,
  nFetched: 0,
  nToFetch: 0,
  problem: null,
};

export interface MirrorStart {
  readonly address: string;
  readonly dataFolder: string;
}

export type MirrorOrder =
  | { readonly kind: "scan" }
  | { readonly kind: "fill" }
  | { readonly kind: "bring"; readonly folder: string }
  | { readonly kind: "close" };
