import { parseBucketAddress } from "@/lib/domain/bucket";

import { connect } from "./client";
import { describeCredentials, describeFailure, toBucketError } from "./failure";
import type { BucketEnvironment } from "./place";

/** Whether a bucket can be opened: what is wrong and what to do, or what was found and with whose rights. */
export type BucketProbe =
  | { readonly ok: true; readonly found: string }
  | { readonly ok: false; readonly problem: string; readonly remedy: string };

/** Tries of one request: whoever asks waits for it. */
const ATTEMPTS = 2;

/** Lists the first page of a bucket and begins to read one object of it; fetches and keeps nothing. */
export async function probeBucket(text: string, environment: BucketEnvironment): Promise<BucketProbe> {
  const address = parseBucketAddress(text);
  if (address === null)
    return { ok: false, problem: "is no address of a bucket", remedy: "Name s3://bucket/prefix." };
  const client = await connect(address, ATTEMPTS);
  try {
    for await (const { objects } of client.list("")) {
      const [object] = objects;
      if (object === undefined) break;
      const body = await client.read(object, 0);
      await body[Symbol.asyncIterator]().next();
      const owner = describeCredentials(environment);
      return { ok: true, found: `${objects.length} or more objects, read with the credentials of ${owner}` };
    }
    return { ok: false, problem: "holds no objects", remedy: "Name a prefix that jobs were copied to." };
  } catch (error) {
    const { problem, remedy } = describeFailure(toBucketError(error), address.text, environment);
    return { ok: false, problem, remedy };
  } finally {
    client.close();
  }
}
