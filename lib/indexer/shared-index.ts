import { join } from "node:path";

import { ValidationError } from "@/lib/domain/app-error";

import { registerShown } from "@/lib/sight";

import { describeShown } from "./limited-index";
import { type OpenIndex, openIndex } from "./open-index";

declare global {
  /** One index a process: the server opens it, and hot reloads and parallel requests share it. */
  var assayIndex: Promise<OpenIndex> | undefined;
}

/**
 * The index of the folders that this process was started with, opened once.
 *
 * Read from the environment: `ASSAY_ROOTS` (JSON list of folders), `ASSAY_SUMMATION`, `ASSAY_PROGRAMS` (the folder
 * of the bundled programs that processes run), and where to keep it (`ASSAY_DATA`, `XDG_DATA_HOME`, `DATABASE_URL`).
 *
 * @throws StoreError when it cannot be opened; the next call tries again
 */
export function getSharedIndex(): Promise<OpenIndex> {
  registerShown((sight) => describeShown(getSharedIndex, sight));
  globalThis.assayIndex ??= openFromEnvironment().catch((error: unknown) => {
    globalThis.assayIndex = undefined;
    throw error;
  });
  return globalThis.assayIndex;
}

/** Ends the work on the index of this process, if it was opened. */
export async function closeSharedIndex(): Promise<void> {
  const index = await globalThis.assayIndex;
  await index?.close();
}

async function openFromEnvironment(): Promise<OpenIndex> {
  const environment = process.env;
  return openIndex({
    roots: readRoots(environment["ASSAY_ROOTS"] ?? "[]"),
    summation: environment["ASSAY_SUMMATION"] === "sequential" ? "sequential" : "cpython-3.12",
    environment,
    script: findProgram(environment["ASSAY_PROGRAMS"]),
    isPatient: true,
  });
}

function findProgram(folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : join(folder, "indexing.js");
}

function readRoots(text: string): readonly string[] {
  const roots: unknown = JSON.parse(text);
  if (!Array.isArray(roots) || !roots.every((root) => typeof root === "string")) {
    throw new ValidationError("ASSAY_ROOTS must be a JSON list of folder paths.", {});
  }
  return roots;
}
