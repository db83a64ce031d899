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
    const { value: page } = await client.list("").next();
    const [object] = page?.objects ?? [];
    if (object === undefined)
      return { ok: false, problem: "holds no objects", remedy: "Name a prefix that jobs were copied to." };
    const body = await client.read(object, 0);
    for await (const _ of body) break;
    const some = `${page?.objects.length ?? 0} or more objects`;
    return { ok: true, found: `${some}, read with the credentials of ${describeCredentials(environment)}` };
  } catch (error) {
    const { problem, remedy } = describeFailure(toBucketError(error), address.text, environment);
    return { ok: false, problem, remedy };
  } finally {
    client.close();
  }
}
