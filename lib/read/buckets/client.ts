import { Readable } from "node:stream";

import type { _Object, S3ClientConfig } from "@aws-sdk/client-s3";

import type { BucketAddress } from "@/lib/core/domain/bucket";

import { BucketError, toBucketError } from "./failure";

export interface ListedObject {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  /** Milliseconds since 1970-01-01. */
  readonly modifiedMs: number;
}

interface ListPage {
  readonly objects: readonly ListedObject[];
  readonly nGarbled: number;
}

export interface BucketClient {
  /** Lists keys after `after` in byte order. */
  readonly list: (after: string) => AsyncGenerator<ListPage>;
  readonly read: (object: ListedObject, from: number) => Promise<AsyncIterable<Uint8Array>>;
  readonly close: () => void;
}

/** For a listing or the start of a body; the SDK waits longer, with jitter, after each. */
const ATTEMPTS = 8;
const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
/** For an error or a listing page. 1,000 keys of 1,024 bytes each have 3.5 MB in percent escapes. */
const MOST_PAGE_BYTES = 16 << 20;
/** Consecutive pages without a key beyond all earlier ones. S3 sends none. */
const MOST_IDLE_PAGES = 100;
/** Default region: servers other than Amazon's accept any. */
const USUAL_REGION = "us-east-1";

/** Uses the standard AWS credential chain: environment, profiles, single sign-on, web identity, container or machine role. */
export async function connect(
  address: BucketAddress,
  attempts = ATTEMPTS,
  silenceMs = SILENCE_MS,
): Promise<BucketClient> {
  const { S3Client, ListObjectsV2Command, GetObjectCommand } = await import("@aws-sdk/client-s3");
  const options: S3ClientConfig = {
    // Every server supports it. TLS certificates do not match host names of buckets with dots.
    forcePathStyle: true,
    maxAttempts: attempts,
    // Requests may go only to the endpoint.
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
        const response = output.response as { readonly statusCode: number; body: AsyncIterable<Uint8Array> }; // An HTTP response.
        // The SDK reads all other bodies into memory.
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
        // A server without range support would send the beginning again.
        if (from > 0 && answer.ContentRange?.startsWith(`bytes ${from}-`) !== true)
          throw new BucketError("broken", "");
        // Some servers ignore the condition too.
        if (answer.ETag !== undefined && answer.ETag !== etag) throw new BucketError("changed", "");
        return (answer.Body ?? []) as unknown as AsyncIterable<Uint8Array>; // In Node it is a stream of bytes.
      } catch (error) {
        throw toBucketError(error);
      }
    },
    close: () => client.destroy(),
  };
}

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
