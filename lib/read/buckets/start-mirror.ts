import { mkdirSync, realpathSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { dirname, sep } from "node:path";

import { ValidationError } from "@/lib/core/domain/app-error";
import { parseBucketAddress } from "@/lib/core/domain/bucket";
import { supervise } from "@/lib/read/processes/supervise";

import {
  type BucketEnvironment,
  type MirrorOrder,
  type MirrorStart,
  type MirrorStatus,
  NO_STATUS,
  findMirrorPlace,
} from "./place";

export interface RunningMirror {
  readonly address: string;
  readonly folder: string;
  readonly status: () => MirrorStatus;
  /** Settles once results are available, or `status().problem` has the reason. */
  readonly scan: () => Promise<void>;
  readonly fill: () => Promise<void>;
  readonly bring: (path: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface MirrorOptions extends MirrorStart {
  readonly environment: BucketEnvironment;
  readonly script: string;
  readonly onStatus: (status: MirrorStatus) => void;
}

declare global {
  /** Pages are bundled apart, so mirrors are shared through a global. */
  var assayMirrors: Set<RunningMirror> | undefined;
}

const LIMITS = { memoryMb: 512, fileMs: 60_000 };

/** Idle until it gets an order. @throws ValidationError for an invalid address */
export function startMirror({
  address: text,
  dataFolder,
  environment,
  script,
  onStatus,
}: MirrorOptions): RunningMirror {
  const address = parseBucketAddress(text);
  if (address === null)
    throw new ValidationError(`${text} is not a valid bucket URL. Use s3://bucket/prefix.`, {});
  const place = findMirrorPlace(address, dataFolder, environment);
  mkdirSync(place.files, { recursive: true, mode: 0o700 });
  const folder = realpathSync(place.files);
  let status: MirrorStatus = NO_STATUS;
  const report = (next: MirrorStatus): void => {
    status = next;
    onStatus(next);
  };
  const { carryOut, stop } = supervise<MirrorStart, MirrorOrder, MirrorStatus>({
    script,
    ...LIMITS,
    mayReachBuckets: true,
    // A listing is read a thousand keys at a time, which become garbage at once.
    isRoomy: true,
    data: { address: text, dataFolder },
    onStatus: report,
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
      // Files next to a ledger's record belong to it.
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

/** After it the page shows missing files as missing; fetching continues. */
const PAGE_WAIT_MS = 8_000;

/** Settles at once for paths outside of mirrors. @param path - absolute */
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

export function describePath(path: string): string {
  const mirror = findMirror(path);
  return mirror === null ? path : `${mirror.address}${path.slice(mirror.folder.length)}`;
}

/** True for a file of an opened folder, and false for one downloaded from a bucket. */
export async function isLocalFile(path: string): Promise<boolean> {
  if (findMirror(path) !== null) return false;
  const found = await lstat(path).catch(() => null);
  return found?.isFile() === true;
}

function findMirror(path: string): RunningMirror | null {
  for (const mirror of globalThis.assayMirrors ?? [])
    if (path === mirror.folder || path.startsWith(`${mirror.folder}/`)) return mirror;
  return null;
}
