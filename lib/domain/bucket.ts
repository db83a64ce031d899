/** An address of objects in a bucket, `s3://bucket/prefix`. */
export interface BucketAddress {
  readonly bucket: string;
  /** What the keys below it begin with: empty, or ending with `/`. */
  readonly prefix: string;
  /** As it is shown, without a slash at its end. */
  readonly text: string;
}

const ADDRESS = /^s3:\/\/(?<bucket>[A-Za-z\d][\w.-]{1,61}[A-Za-z\d])(?:\/(?<prefix>.*))?$/su;

/** Whether a text that names something to open names a bucket, rightly or not. */
export function isBucketAddress(text: string): boolean {
  return text.startsWith("s3://");
}

/** What an address names; null for what is none, and for a prefix that could be no folder. */
export function parseBucketAddress(text: string): BucketAddress | null {
  const { bucket, prefix = "" } = ADDRESS.exec(text)?.groups ?? {};
  if (bucket === undefined) return null;
  const parts = prefix.endsWith("/") ? prefix.slice(0, -1) : prefix;
  if (parts !== "" && findPathProblem(parts) !== null) return null;
  return {
    bucket,
    prefix: parts === "" ? "" : `${parts}/`,
    text: `s3://${bucket}${parts === "" ? "" : `/${parts}`}`,
  };
}

/** Longest name of a file that file systems take, in bytes. */
const MOST_NAME_BYTES = 255;
/** Longest key that S3 allows, in bytes. */
const MOST_KEY_BYTES = 1024;

/**
 * Says why the part of a key behind the opened prefix can be no path below a folder, as the rest of a sentence; null when it can.
 * Keys are any text: whoever writes into a bucket may write `../../x`.
 */
export function findPathProblem(path: string): string | null {
  if (isLonger(path, MOST_KEY_BYTES)) return "is too long";
  if (/[\u0000-\u001f\u007f\\]/u.test(path)) return "holds a backslash or a control character";
  if (!path.isWellFormed()) return "is no valid text";
  const parts = path.split("/");
  if (parts.includes("")) return "has a part without a name";
  if (parts.some((part) => part === "." || part === "..")) return "leads out of its folder";
  if (parts.some((part) => isLonger(part, MOST_NAME_BYTES))) return "has a part that is too long";
  return null;
}

/** Whether a text takes more bytes as UTF-8. No character of a text takes more than three for each of its units. */
function isLonger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes;
}

/** Name of the folder in the data folder that holds what was fetched of buckets. */
export const BUCKETS_FOLDER = "bucket-mirrors";

/**
 * Whether a file stands for an object that was listed and is not here: in the folder of a bucket it is the size of the object, holds
 * nothing, and nobody may write it. What was fetched may be written by its owner.
 *
 * @param path - absolute
 * @param mode - of its stats
 */
export function isPlaceholder(path: string, mode: number): boolean {
  return (mode & 0o222) === 0 && path.includes(`/${BUCKETS_FOLDER}/`);
}

/** What a reader says of a placeholder, as a sentence or two. */
export const NOT_FETCHED =
  "It is in the bucket and was not fetched yet. Opening its trial fetches it; load the page again in a moment.";
