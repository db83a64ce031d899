import { open } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

import type { BucketClient, ListedObject } from "./client";
import { BucketError } from "./failure";

/** Bodies in a row that end or break without one new byte. */
const MOST_BROKEN = 6;
/** Before going on behind a break; doubled with each, to at most 16 times as long. */
const PAUSE_MS = 200;
/** A body may take this long and as long as it takes at {@link LEAST_RATE}, so that none holds a place for ever. */
const LEAST_MS = 120_000;
/** Bytes a second. */
const LEAST_RATE = 20_000;
const DISK_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EIO", "EROFS", "EFBIG"]);

/**
 * Fetches one version of an object into a file, going on from where a body breaks. Never more bytes than were listed.
 * @throws BucketError; `broken` when what comes is not what was listed. The file is then a part.
 */
export async function fetchObject(
  client: Pick<BucketClient, "read">,
  object: ListedObject,
  file: string,
  pauseMs = PAUSE_MS,
): Promise<void> {
  const endsAt = performance.now() + LEAST_MS + (1000 * object.size) / LEAST_RATE;
  const handle = await open(file, "wx", 0o600);
  try {
    let at = 0;
    let nBroken = 0;
    while (at < object.size) {
      const before = at;
      try {
        for await (const chunk of await client.read(object, at)) {
          if (at + chunk.length > object.size || performance.now() > endsAt)
            throw new BucketError("broken", "TooMuch");
          await handle.write(chunk, 0, chunk.length, at);
          at += chunk.length;
        }
      } catch (error) {
        if (error instanceof BucketError || isDiskError(error)) throw error;
      }
      if (at >= object.size) break;
      nBroken = at > before ? 1 : nBroken + 1;
      if (nBroken > MOST_BROKEN) throw new BucketError("broken", "");
      await wait(pauseMs * 2 ** Math.min(nBroken, 4));
    }
  } finally {
    await handle.close();
  }
}

/** Whether an error is of the file that is written, and not of the connection. */
function isDiskError(error: unknown): boolean {
  return error instanceof Error && "code" in error && DISK_CODES.has(String(error.code));
}
