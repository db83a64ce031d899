import { join } from "node:path";

import { ValidationError } from "@/lib/core/domain/app-error";
import { registerShown } from "@/lib/store/visibility";

import { describeShown } from "./limited-index";
import { type OpenIndex, openIndex } from "./open-index";

declare global {
  /** One index per process, shared by the server, hot reloads and parallel requests. */
  var assayIndex: Promise<OpenIndex> | undefined;
}

/**
 * Returns the index of the folders given to this process, opened once. Reads `ASSAY_ROOTS` (JSON list of folders),
 * `ASSAY_SUMMATION`, `ASSAY_PROGRAMS` (folder of the bundled programs), and the location (`ASSAY_DATA`, `XDG_DATA_HOME`,
 * `DATABASE_URL`).
 *
 * @throws StoreError when it cannot be opened; the next call tries again
 */
export function getSharedIndex(): Promise<OpenIndex> {
  registerShown((visibility) => describeShown(getSharedIndex, visibility));
  globalThis.assayIndex ??= openFromEnvironment().catch((error: unknown) => {
    globalThis.assayIndex = undefined;
    throw error;
  });
  return globalThis.assayIndex;
}

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
