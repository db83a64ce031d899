import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { type BucketAddress, BUCKETS_FOLDER } from "@/lib/domain/bucket";
import { LOAD_ISSUE_CODES, type LoadIssue } from "@/lib/domain/load-issue";

/** Environment variables, of which the address of the server is read here, and by the SDK whatever it knows. */
export type BucketEnvironment = Readonly<Record<string, string | undefined>>;

/** Where what was fetched of a bucket lies, in the data folder. Absolute paths. */
export interface MirrorPlace {
  /** Everything else lies in it. */
  readonly base: string;
  /** What is opened as a folder of jobs: keys as paths. Its name is the last one of the address. */
  readonly files: string;
  readonly parts: string;
  readonly listing: string;
  readonly state: string;
}

const STATE_FILE = ".state.json";

/** Where the files of an address are put. Another server or profile is another place, since the same name is another bucket there. */
export function findMirrorPlace(
  { bucket, text }: BucketAddress,
  dataFolder: string,
  environment: BucketEnvironment,
): MirrorPlace {
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

/** How a mirror stands, as it is kept beside it for whoever reads its files. */
export interface MirrorState {
  /** Whether all results were here once; before that, what lies there is a part that would be taken for the whole. */
  readonly isComplete: boolean;
  /** Paths are keys behind the prefix; empty for the bucket itself. */
  readonly issues: readonly LoadIssue[];
}

const UNKNOWN: MirrorState = { isComplete: false, issues: [] };

/** Reads how the mirror stands whose files are in a folder; not complete where nothing says so, null for a folder that is none. */
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
