export interface BucketAddress {
  readonly bucket: string;
  readonly prefix: string;
  readonly text: string;
}

const ADDRESS = /^s3:\/\/(?<bucket>[A-Za-z\d][\w.-]{1,61}[A-Za-z\d])(?:\/(?<prefix>.*))?$/su;

export function isBucketAddress(text: string): boolean {
  return text.startsWith("s3://");
}

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

const MOST_NAME_BYTES = 255;
/** Limit of S3. */
const MOST_KEY_BYTES = 1024;

/**
 * Returns why the part of a key below the opened prefix cannot be a path, as the end of a sentence; null if it can. Keys are
 * untrusted: anyone who can write to a bucket can write `../../x`.
 */
export function findPathProblem(path: string): string | null {
  if (isLonger(path, MOST_KEY_BYTES)) return "is too long";
  if (/[\u0000-\u001f\u007f\\]/u.test(path)) return "has a backslash or a control character";
  if (!path.isWellFormed()) return "is not valid text";
  const parts = path.split("/");
  if (parts.includes("")) return "has an empty part";
  if (parts.some((part) => part === "." || part === "..")) return "points outside its folder";
  if (parts.some((part) => isLonger(part, MOST_NAME_BYTES))) return "has a part that is too long";
  return null;
}

/** True if the UTF-8 text takes more bytes. A UTF-16 unit takes at most three. */
function isLonger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes;
}

export const BUCKETS_FOLDER = "bucket-mirrors";

/**
 * True for the placeholder of an object that was listed but not fetched: a file of the object's size, without content or write
 * permission. Fetched files are writable by their owner.
 * @param path - absolute
 * @param mode - from its stats
 */
export function isPlaceholder(path: string, mode: number): boolean {
  return (mode & 0o222) === 0 && path.includes(`/${BUCKETS_FOLDER}/`);
}

export const NOT_FETCHED =
  "It is in the bucket but not fetched yet. Open its trial to fetch it, then reload in a moment.";
