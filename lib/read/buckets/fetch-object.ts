import { open } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

import type { BucketClient, ListedObject } from "./client";
import { BucketError } from "./failure";

const MOST_BROKEN = 6;
/** Pause after a break; doubles each time, up to 16 times as long. */
const PAUSE_MS = 200;
/** Time limit of a body in addition to its size at {@link LEAST_RATE}, so that none occupies a worker forever. */
const LEAST_MS = 120_000;
/** Bytes per second. */
const LEAST_RATE = 20_000;
const DISK_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EIO", "EROFS", "EFBIG"]);

/**
 * Resumes after a broken body. Never writes more bytes than listed.
 *
 * @throws BucketError; `broken` if the body differs from the listing. The file is then incomplete.
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

function isDiskError(error: unknown): boolean {
  return error instanceof Error && "code" in error && DISK_CODES.has(String(error.code));
}
