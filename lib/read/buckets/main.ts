import { mkdirSync, rmSync } from "node:fs";

import { parseBucketAddress } from "@/lib/core/domain/bucket";
import { serveSupervised } from "@/lib/read/processes/serve";

import { connect } from "./client";
import { Mirror, type MirrorOptions } from "./mirror";
import { readCode } from "./mirror-files";
import {
  type MirrorOrder,
  type MirrorStart,
  type MirrorStatus,
  findMirrorPlace,
  readMirrorState,
} from "./place";

const REPORT_EVERY_MS = 200;
const GIGABYTE = 1e9;
const USUAL_GIGABYTES = 20;

/** Bytes. */
function readCapacity(text: string | undefined): number {
  const gigabytes = Number(text ?? "");
  return (gigabytes > 0 && Number.isFinite(gigabytes) ? gigabytes : USUAL_GIGABYTES) * GIGABYTE;
}

async function open({ address: text, dataFolder }: MirrorStart, report: (status: MirrorStatus) => void) {
  const address = parseBucketAddress(text);
  if (address === null) throw new Error("Not a valid bucket URL.");
  const environment = process.env;
  const place = findMirrorPlace(address, dataFolder, environment);
  mkdirSync(place.base, { recursive: true, mode: 0o700 });
  const client = await connect(address);
  try {
    const capacity = readCapacity(environment["ASSAY_BUCKET_CACHE_GB"]);
    const options = { address, place, client, environment, capacity, onStatus: makeReporter(report) };
    const mirror = openOrRemake(options);
    return (order: MirrorOrder) =>
      order.kind === "bring" ? mirror.bring(order.folder) : mirror[order.kind]();
  } catch (error) {
    if (readCode(error) !== "SQLITE_BUSY") throw error;
    client.close();
    const isComplete = readMirrorState(place.files)?.isComplete === true;
    const problem = `Another Assay process is fetching ${address.text}; this one shows what it has fetched.`;
    const counts = { nListed: 0, nFetched: 0, nToFetch: 0 };
    report({ phase: "idle", isComplete, ...counts, problem });
    return () => undefined;
  }
}

/** A damaged listing is deleted with its files, because the bucket still has them. */
function openOrRemake(options: MirrorOptions): Mirror {
  try {
    return new Mirror(options);
  } catch (error) {
    if (!/^SQLITE_(?:CORRUPT|NOTADB)/u.test(readCode(error))) throw error;
    rmSync(options.place.base, { recursive: true, force: true });
    mkdirSync(options.place.base, { recursive: true, mode: 0o700 });
    return new Mirror(options);
  }
}

function makeReporter(report: (status: MirrorStatus) => void): (status: MirrorStatus) => void {
  let saidAt = -Infinity;
  let said: MirrorStatus | null = null;
  return (status) => {
    const now = performance.now();
    const isNews =
      said?.phase !== status.phase ||
      said.problem !== status.problem ||
      said.isComplete !== status.isComplete;
    if (!isNews && now - saidAt < REPORT_EVERY_MS) return;
    saidAt = now;
    said = status;
    report(status);
  };
}

serveSupervised<MirrorStart, MirrorOrder, MirrorStatus>(open);
