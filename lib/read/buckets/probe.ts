import { parseBucketAddress } from "@/lib/core/domain/bucket";

import { connect } from "./client";
import { describeCredentials, describeFailure, toBucketError } from "./failure";
import type { BucketEnvironment } from "./place";

type BucketProbe =
  | { readonly ok: true; readonly found: string }
  | { readonly ok: false; readonly problem: string; readonly remedy: string };

/** Few, because a user waits. */
const ATTEMPTS = 2;

export async function probeBucket(text: string, environment: BucketEnvironment): Promise<BucketProbe> {
  const address = parseBucketAddress(text);
  if (address === null)
    return { ok: false, problem: "is not a valid bucket URL", remedy: "Use s3://bucket/prefix." };
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
    return { ok: false, problem: "has no objects", remedy: "Use a prefix that jobs were copied to." };
  } catch (error) {
    const { problem, remedy } = describeFailure(toBucketError(error), address.text, environment);
    return { ok: false, problem, remedy };
  } finally {
    client.close();
  }
}
