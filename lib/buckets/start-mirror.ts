import { mkdirSync, realpathSync } from "node:fs";
import { dirname, sep } from "node:path";

import { ValidationError } from "@/lib/domain/app-error";
import { parseBucketAddress } from "@/lib/domain/bucket";
import { superviseOrders } from "@/lib/processes/supervise-orders";

import { type MirrorStatus, NO_STATUS } from "./mirror-status";
import { type BucketEnvironment, findMirrorPlace } from "./place";
import type { MirrorOrder, MirrorRequest, MirrorStatusReply } from "./protocol";

/** A bucket that is kept in a folder by a process of its own. */
export interface RunningMirror {
  /** As it is shown, `s3://bucket/prefix`. */
  readonly address: string;
  /** Real absolute path of the folder that is opened in its place. */
  readonly folder: string;
  readonly status: () => MirrorStatus;
  /** Lists the bucket again; settles when results are here, or `status().problem` says why not. */
  readonly scan: () => Promise<void>;
  /** Settles when everything is here that fits. */
  readonly fill: () => Promise<void>;
  /** Fetches what lies at or below an absolute path of the folder; at once when it is here. */
  readonly bring: (path: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface MirrorStart {
  readonly address: string;
  readonly dataFolder: string;
  readonly environment: BucketEnvironment;
  /** The bundled `main.ts` of this folder. */
  readonly script: string;
  readonly onStatus: (status: MirrorStatus) => void;
}

declare global {
  /** Mirrors of this process: pages are bundled apart and must share them. */
  var assayMirrors: Set<RunningMirror> | undefined;
}

/** A page of a listing, bodies in flight and SQLite's cache. */
const LIMITS = { memoryMb: 512, fileMs: 60_000 };

/** Starts the process that keeps a bucket in a folder; it does nothing until it is asked. @throws ValidationError for no address */
export function startMirror({
  address: text,
  dataFolder,
  environment,
  script,
  onStatus,
}: MirrorStart): RunningMirror {
  const address = parseBucketAddress(text);
  if (address === null)
    throw new ValidationError(`${text} is no address of a bucket. It is s3://bucket/prefix.`, {});
  const place = findMirrorPlace(address, dataFolder, environment);
  mkdirSync(place.files, { recursive: true, mode: 0o700 });
  const folder = realpathSync(place.files);
  let status: MirrorStatus = NO_STATUS;
  const report = (next: MirrorStatus): void => {
    status = next;
    onStatus(next);
  };
  const { carryOut, stop } = superviseOrders<MirrorOrder, MirrorStatusReply>({
    script,
    ...LIMITS,
    mayReachBuckets: true,
    // A listing is read a thousand keys at a time, which are garbage at once.
    isRoomy: true,
    first: { kind: "start", address: text, dataFolder } satisfies MirrorRequest,
    onMessage: (message) => report(message.status),
    onGivenUp: () => {
      const problem = `${address.text} is no longer fetched: its process keeps ending. Start Assay again.`;
      report({ ...status, phase: "idle", problem });
    },
  });
  const bringing = new Map<string, Promise<void>>();
  const mirror: RunningMirror = {
    address: address.text,
    folder,
    status: () => status,
    scan: () => carryOut({ kind: "scan" }),
    fill: () => carryOut({ kind: "fill" }),
    bring: async (path) => {
      // What lies beside a ledger's record belongs to it.
      const below = (path.endsWith(".json") ? dirname(path) : path).slice(folder.length + 1);
      const known = bringing.get(below);
      const work = known ?? carryOut({ kind: "bring", folder: below.split(sep).join("/") });
      bringing.set(below, work);
      await work.finally(() => bringing.delete(below));
    },
    close: async () => {
      globalThis.assayMirrors?.delete(mirror);
      await stop();
    },
  };
  (globalThis.assayMirrors ??= new Set()).add(mirror);
  return mirror;
}

/** Time that a page waits for files; what is not here by then is fetched all the same, and the page says that it is not here. */
const PAGE_WAIT_MS = 8_000;

/** Has files fetched that somebody looks at; settles at once for paths that are in no mirror. @param path - absolute */
export async function bringFiles(path: string): Promise<void> {
  const mirror = findMirror(path);
  if (mirror === null || path === mirror.folder) return;
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((settle) => {
    timer = setTimeout(settle, PAGE_WAIT_MS);
  });
  await Promise.race([mirror.bring(path), patience]);
  clearTimeout(timer);
}

/** How a path is shown: as an address when it lies in the folder of a bucket, else as it is. */
export function describePath(path: string): string {
  const mirror = findMirror(path);
  return mirror === null ? path : `${mirror.address}${path.slice(mirror.folder.length)}`;
}

function findMirror(path: string): RunningMirror | null {
  for (const mirror of globalThis.assayMirrors ?? [])
    if (path === mirror.folder || path.startsWith(`${mirror.folder}/`)) return mirror;
  return null;
}
