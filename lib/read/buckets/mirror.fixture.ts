import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { vi } from "vitest";

import { parseBucketAddress } from "@/lib/core/domain/bucket";

import { CREDENTIALS } from "./bucket-server.fixture";
import { connect } from "./client";
import { Mirror } from "./mirror";
import { type MirrorStatus, findMirrorPlace, readMirrorState } from "./place";

/** Changes the environment of this process: a test server, without a user's profiles or a machine's role. */
export function useServer(url: string): void {
  for (const name of Object.keys(process.env)) if (name.startsWith("AWS_")) vi.stubEnv(name, undefined);
  const nowhere = join(tmpdir(), "no-such-file");
  Object.assign(process.env, CREDENTIALS, {
    AWS_ENDPOINT_URL: url,
    AWS_SHARED_CREDENTIALS_FILE: nowhere,
    AWS_CONFIG_FILE: nowhere,
    AWS_EC2_METADATA_DISABLED: "true",
  });
}

/** A mirror of an address in a folder of its own. */
export async function openMirror(
  text: string,
  capacity = 1e9,
  dataFolder = mkdtempSync(join(tmpdir(), "mirror-")),
  { silenceMs, mostListed }: { readonly silenceMs?: number; readonly mostListed?: number } = {},
) {
  const address = parseBucketAddress(text);
  if (address === null) throw new Error(`${text} is no address`);
  const place = findMirrorPlace(address, dataFolder, process.env);
  mkdirSync(place.base, { recursive: true });
  const statuses: MirrorStatus[] = [];
  const client = await connect(address, 3, silenceMs);
  const mirror = new Mirror({
    ...{ address, place, client, capacity, environment: process.env, pauseMs: 1 },
    ...(mostListed === undefined ? {} : { mostListed }),
    onStatus: (status) => statuses.push(status),
  });
  return {
    mirror,
    place,
    dataFolder,
    last: () => statuses.at(-1),
    issues: () => readMirrorState(place.files)?.issues,
  };
}

/** Every file below a folder with its bytes. */
export function readAll(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [file.slice(folder.length + 1), readFileSync(file, "base64")]));
}
