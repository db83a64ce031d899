import { Readable } from "node:stream";

import type { _Object, S3ClientConfig } from "@aws-sdk/client-s3";

import type { BucketAddress } from "@/lib/domain/bucket";

import { BucketError, toBucketError } from "./failure";

export interface ListedObject {
  readonly key: string;
  readonly size: number;
  /** Names this version of it. */
  readonly etag: string;
  /** Milliseconds since 1970-01-01. */
  readonly modifiedMs: number;
}

export interface ListPage {
  readonly objects: readonly ListedObject[];
  /** How many keys of it could not be told. */
  readonly nGarbled: number;
}

/** What is asked of a bucket. Errors are for `toBucketError`, and those of `read` are a {@link BucketError}. */
export interface BucketClient {
  /** Pages of the keys below the address behind `after`, in the order of the server, which is that of their bytes. */
  readonly list: (after: string) => AsyncGenerator<ListPage>;
  /** Bytes of one version of an object, from a place on. Ends early or breaks where the connection does. */
  readonly read: (object: ListedObject, from: number) => Promise<AsyncIterable<Uint8Array>>;
  readonly close: () => void;
}

/** Of the requests for a listing and for the beginning of a body; the SDK waits longer with each, at random. */
const ATTEMPTS = 8;
const CONNECT_MS = 10_000;
/** Without a byte. */
const SILENCE_MS = 30_000;
/** Bytes of an error or a page of a listing. 1,000 keys of 1,024 bytes each have 3.5 MB in percent escapes. */
const MOST_PAGE_BYTES = 16 << 20;
/** Pages in a row without a key behind all before. S3 sends none. */
const MOST_IDLE_PAGES = 100;
/** Where none is named: servers other than Amazon's take any. */
const USUAL_REGION = "us-east-1";

/**
 * Connects to the bucket of an address, with credentials, region and endpoint from where every tool of AWS takes them: the
 * environment, profiles, single sign-on, web identity, and the role of the container or machine. Loads the SDK.
 *
 * @param attempts - tries of one request
 */
export async function connect(
  address: BucketAddress,
  attempts = ATTEMPTS,
  silenceMs = SILENCE_MS,
): Promise<BucketClient> {
  const { S3Client, ListObjectsV2Command, GetObjectCommand } = await import("@aws-sdk/client-s3");
  const options: S3ClientConfig = {
    // Every server knows it, and buckets with dots in their names have certificates under no other.
    forcePathStyle: true,
    maxAttempts: attempts,
    // Any other request than those below goes nowhere else than to the endpoint.
    followRegionRedirects: false,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: silenceMs,
      throwOnRequestTimeout: true,
      socketTimeout: silenceMs,
    },
  };
  const region = await new S3Client(options).config.region().catch(() => USUAL_REGION);
  const client = new S3Client({ ...options, region });
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const output = await next(args);
        const response = output.response as { readonly statusCode: number; body: AsyncIterable<Uint8Array> }; // Of HTTP.
        // The SDK collects all others in memory.
        if (commandName !== "GetObjectCommand" || response.statusCode >= 300)
          response.body = Readable.from(boundPage(response.body, 4 * silenceMs));
        return output;
      },
    { step: "deserialize", priority: "low" },
  );
  const Bucket = address.bucket;
  return {
    list: async function* (after) {
      let token: string | undefined;
      let last = Buffer.from(after);
      let nIdle = 0;
      do {
        const answer = await client.send(
          new ListObjectsV2Command({
            Bucket,
            Prefix: address.prefix,
            EncodingType: "url",
            ...(token === undefined ? {} : { ContinuationToken: token }),
            ...(token === undefined && after !== "" ? { StartAfter: after } : {}),
          }),
        );
        const page = toPage(answer.Contents ?? [], answer.EncodingType === "url");
        yield page;
        const end = Buffer.from(page.objects.at(-1)?.key ?? "");
        if (end.compare(last) > 0) [last, nIdle] = [end, 0];
        else if (++nIdle > MOST_IDLE_PAGES) throw new BucketError("endless", "");
        token = answer.IsTruncated === true ? answer.NextContinuationToken : undefined;
      } while (token !== undefined);
    },
    read: async ({ key: Key, etag, size }, from) => {
      try {
        const answer = await client.send(
          new GetObjectCommand({
            Bucket,
            Key,
            IfMatch: etag,
            ...(from === 0 ? {} : { Range: `bytes=${from}-${size - 1}` }),
          }),
        );
        // A server that knows no ranges would send the beginning again.
        if (from > 0 && answer.ContentRange?.startsWith(`bytes ${from}-`) !== true)
          throw new BucketError("broken", "");
        // Some servers do not know the condition either.
        if (answer.ETag !== undefined && answer.ETag !== etag) throw new BucketError("changed", "");
        return (answer.Body ?? []) as unknown as AsyncIterable<Uint8Array>; // In Node it is a stream of bytes.
      } catch (error) {
        throw toBucketError(error);
      }
    },
    close: () => client.destroy(),
  };
}

/** @throws BucketError for bytes that do not end within the limits */
async function* boundPage(body: AsyncIterable<Uint8Array>, ms: number): AsyncGenerator<Uint8Array> {
  const endsAt = performance.now() + ms;
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > MOST_PAGE_BYTES || performance.now() > endsAt) throw new BucketError("endless", "");
    yield piece;
  }
}

function toPage(contents: readonly _Object[], isEncoded: boolean): ListPage {
  const objects = contents.flatMap(({ Key, Size, ETag, LastModified }): ListedObject[] => {
    const key = Key === undefined ? null : isEncoded ? decodeKey(Key) : Key;
    const modifiedMs = LastModified?.getTime() ?? NaN;
    if (key === null || ETag === undefined || !Number.isSafeInteger(Size) || Size === undefined) return [];
    if (Size < 0 || !Number.isSafeInteger(modifiedMs)) return [];
    return [{ key, size: Size, etag: ETag, modifiedMs }];
  });
  return { objects, nGarbled: contents.length - objects.length };
}

function decodeKey(key: string): string | null {
  try {
    return decodeURIComponent(key.replaceAll("+", " "));
  } catch {
    return null;
  }
}
