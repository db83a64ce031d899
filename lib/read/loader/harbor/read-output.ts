import { createHash, type Hash } from "node:crypto";
import { readlinkSync } from "node:fs";

import type { AgentOutput } from "@/lib/core/domain/verifier-check";

import { isObject, listOr } from "../detail/json-shape";
import { parseLooseJson } from "../detail/parse-loose-json";
import type { FolderEntry } from "../discover/folder-entries";
import { joinFolder, type LoadRoot } from "../discover/load-root";
import { listOrNull, openForReading, readChunks, readFileBytes } from "../file-access";
import { isFolder, stampFile, statFolder } from "../file-stamp";

/** In aec-bench order; the first existing one counts. */
export const OUTPUT_FOLDERS = ["agent", "artifacts/agent"] as const;
export const OUTPUT_FILES = ["output.md", "output.jsonl"] as const;

/** Limit per trial: larger outputs are data and too slow to compare. */
const MAX_BYTES = 64 << 20;
const MAX_FILES = 2000;
const MAX_DEPTH = 16;
const MAX_MANIFEST_BYTES = 4 << 20;

class UnknownOutput extends Error {
  readonly reason: "too_large" | "unreadable";
  constructor(reason: "too_large" | "unreadable") {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Reads an agent's output: the first of `output.md` and `output.jsonl` in `agent/`, then in `artifacts/agent/`; of each of
 * `steps` if the trial has none; else all files in the `artifacts/` manifest except itself and `*.log`. Reads at most 64 MiB
 * and 2,000 files. Links among artifacts count by target. Equal artifacts do not prove equal outputs.
 * @see aec-bench src/aec_bench/harbor_importing/core.py for the order of output files
 */
export function readOutput(root: LoadRoot, folder: string, steps: readonly string[]): AgentOutput {
  return unlessUnknown(() => {
    const own = findOutputFile(root, folder, "");
    if (own !== null) return hashOne(root, folder, own);
    const ofSteps = steps.flatMap((step) => findOutputFile(root, folder, `steps/${step}`) ?? []);
    if (ofSteps.length > 0) return hashAll(root, folder, ofSteps, "steps");
    const parts = ["", ...steps.map((step) => `steps/${step}`)];
    const artifacts = parts.flatMap((part) => listArtifacts(root, folder, part));
    if (artifacts.length === 0) return { kind: "unknown", reason: "none" };
    return hashAll(root, folder, artifacts, steps.length === 0 ? "artifacts" : "steps");
  });
}

export function readOutputFile(root: LoadRoot, path: string): AgentOutput {
  if (stampFile(root, path) === "") return { kind: "unknown", reason: "none" };
  return unlessUnknown(() => hashOne(root, "", path));
}

function unlessUnknown(read: () => AgentOutput): AgentOutput {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnknownOutput) return { kind: "unknown", reason: error.reason };
    throw error;
  }
}

function findOutputFile(root: LoadRoot, folder: string, part: string): string | null {
  for (const name of OUTPUT_FOLDERS) {
    const place = joinFolder(part, name);
    // Check `artifacts` before `artifacts/agent`, since most trials lack both.
    const upper = name.includes("/") ? [joinFolder(part, "artifacts"), place] : [place];
    if (!upper.every((one) => statFolder(root, joinFolder(folder, one)).canEnter)) continue;
    for (const file of OUTPUT_FILES) {
      const path = `${place}/${file}`;
      if (stampFile(root, joinFolder(folder, path)) !== "") return path;
    }
  }
  return null;
}

function hashOne(root: LoadRoot, folder: string, path: string): AgentOutput {
  const hash = createHash("sha256");
  addFile(root, joinFolder(folder, path), hash, { maxBytes: MAX_BYTES });
  return { kind: "known", digest: hash.digest("hex"), path };
}

function hashAll(root: LoadRoot, folder: string, paths: readonly string[], path: string): AgentOutput {
  const hash = createHash("sha256");
  let left = MAX_BYTES;
  for (const one of [...new Set(paths)].sort()) {
    const file = joinFolder(folder, one);
    const name = JSON.stringify(one);
    const target = readTarget(root, file);
    if (target === null) left -= addFile(root, file, hash, { maxBytes: left, name });
    else hash.update(`${name} -> ${JSON.stringify(target)}\n`);
  }
  return { kind: "known", digest: hash.digest("hex"), path };
}

function addFile(
  root: LoadRoot,
  file: string,
  hash: Hash,
  { maxBytes, name }: { readonly maxBytes: number; readonly name?: string },
): number {
  const done = openForReading(root, file, (open) => {
    if (open.size > maxBytes) return "large";
    if (name !== undefined) hash.update(`${name} ${open.size}\n`);
    let count = 0;
    for (const bytes of readChunks(open, 0, open.size)) {
      hash.update(bytes);
      count += bytes.length;
    }
    return count;
  });
  if (done === "large") throw new UnknownOutput("too_large");
  if (typeof done !== "number") throw new UnknownOutput("unreadable");
  return done;
}

function readTarget(root: LoadRoot, file: string): string | null {
  try {
    return readlinkSync(`${root.path}/${file}`);
  } catch {
    return null;
  }
}

function listArtifacts(root: LoadRoot, folder: string, part: string): readonly string[] {
  const artifacts = joinFolder(part, "artifacts");
  if (!statFolder(root, joinFolder(folder, artifacts)).canEnter) return [];
  const manifest = `${artifacts}/manifest.json`;
  const bytes = readFileBytes(root, joinFolder(folder, manifest), MAX_MANIFEST_BYTES);
  if (bytes.kind === "absent") return [];
  const parsed = bytes.kind === "read" ? parseLooseJson(bytes.bytes.toString("utf8"), manifest) : null;
  if (parsed?.ok !== true) throw new UnknownOutput("unreadable");
  const files: string[] = [];
  let nEntries = 0;
  const count = () => {
    if (++nEntries > MAX_FILES) throw new UnknownOutput("too_large");
  };
  const isDirectory = (path: string) => isFolder(root, joinFolder(folder, path));
  const walk = (path: string, depth: number): void => {
    if (depth === 0) throw new UnknownOutput("too_large");
    for (const entry of listEntries(root, joinFolder(folder, path))) {
      count();
      if (entry.isDirectory()) walk(`${path}/${entry.name}`, depth - 1);
      else files.push(`${path}/${entry.name}`);
    }
  };
  for (const destination of listDestinations(parsed.value)) {
    const names = destination.split("/").filter((name) => name !== "" && name !== ".");
    if (names.length > MAX_DEPTH) throw new UnknownOutput("too_large");
    const places = names.map((_, at) => joinFolder(part, names.slice(0, at + 1).join("/")));
    const path = places.pop();
    const isInside = names[0] === "artifacts" && !names.includes("..") && places.every(isDirectory);
    if (!isInside || path === undefined) throw new UnknownOutput("unreadable");
    if (isDirectory(path)) walk(path, MAX_DEPTH);
    else {
      count();
      files.push(path);
    }
  }
  return files.filter((file) => file !== manifest && !/\.log$/i.test(file));
}

function listDestinations(manifest: unknown): readonly string[] {
  return listOr(manifest)
    .filter(isObject)
    .flatMap(({ destination, status }) => {
      // Uncollected artifacts make the output incomparable.
      if (status === "failed") throw new UnknownOutput("unreadable");
      const isCollected = status === undefined || status === "ok";
      return isCollected && typeof destination === "string" ? [destination] : [];
    });
}

function listEntries(root: LoadRoot, folder: string): readonly FolderEntry[] {
  const listing = listOrNull(root, folder);
  if (listing === null || listing.garbled.length > 0) throw new UnknownOutput("unreadable");
  return listing.entries;
}
