import { MOST_TRIAL_VALUES } from "@/lib/core/domain/count-values";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { PyValue } from "@/lib/core/scoring";
import { recogniseForeignDocument, recogniseHarborDocument } from "@/lib/read/schema/recognise";
import { skimDocument } from "@/lib/read/schema/skim-document";

import type { FileLimits } from "../file-access";
import { parseDocument, readText } from "../read-document";
import type { DiscoveryMemo, DocumentKind, Recognition } from "./discovery-memo";
import { joinFolder, type LoadRoot, prepareIssue } from "./load-root";

/** A file of another layout, and what it is. */
export interface ForeignMatch {
  readonly file: string;
  readonly what: string;
}

const HARBOR_NAMES: ReadonlySet<string> = new Set([
  "result.json",
  "config.json",
  "lock.json",
  "analysis.json",
  "package.json",
]);
const MAX_FILES_CLASSIFIED = 8;
const CLASSIFY_LIMITS: FileLimits = { bytes: 2 << 20, values: MOST_TRIAL_VALUES };

const RENAMED =
  "Harbor results under another name; put each in its own folder as result.json to have it read";
const FOREIGN: Partial<Record<DocumentKind, string>> = {
  "terminal-bench-1": "results of Terminal-Bench 1, the predecessor of Harbor; they are not read",
  "trial-summary": "summaries of trials that are not Harbor's own files; they are not read",
  trajectory: "trajectories without a trial folder; they are not listed as trials",
  "job-result": RENAMED,
  "trial-result": RENAMED,
};

export function findForeignFiles(...search: Parameters<typeof classifyFiles>): ForeignMatch[] {
  return classifyFiles(...search).flatMap(({ file, kind }) => {
    const what = kind === null ? undefined : FOREIGN[kind];
    return what === undefined ? [] : [{ file, what }];
  });
}

export function classifyFiles(
  root: LoadRoot,
  memo: DiscoveryMemo,
  folder: string,
  files: ReadonlySet<string>,
): { readonly file: string; readonly kind: DocumentKind | null }[] {
  const names = [...files].filter((name) => name.endsWith(".json") && !HARBOR_NAMES.has(name));
  return names.slice(0, MAX_FILES_CLASSIFIED).map((name) => {
    const file = joinFolder(folder, name);
    const recognise = () =>
      recogniseFile(
        root,
        file,
        CLASSIFY_LIMITS,
        (value) => recogniseHarborDocument(value) ?? recogniseForeignDocument(value),
      );
    return { file, kind: memo.recallKind(root, file, recognise).kind };
  });
}

export function prepareForeignIssues(root: LoadRoot, matches: readonly ForeignMatch[]): LoadIssue[] {
  const groups = Map.groupBy(matches, ({ what, file }) => `${file.slice(0, file.indexOf("/") + 1)} ${what}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const count = group.length === 1 ? "1 file here or below" : `${group.length} files here or below`;
    const folder = findCommonFolder(group.map(({ file }) => file));
    return [prepareIssue(root, "layout_foreign", folder, `${count}: ${first.what}.`)];
  });
}

function findCommonFolder(files: readonly string[]): string {
  const [first = [], ...others] = files.map((file) => file.split("/").slice(0, -1));
  const length = others.reduce((shared, parts) => {
    const differs = parts.findIndex((part, at) => part !== first[at]);
    return Math.min(shared, differs === -1 ? parts.length : differs);
  }, first.length);
  return first.slice(0, length).join("/");
}

/** Larger files are identified by top-level keys: parsing takes ten times as long, and a search may meet thousands. */
const MOST_PARSED = 256 << 10;

export function recogniseFile(
  root: LoadRoot,
  file: string,
  limits: FileLimits,
  recognise: (value: PyValue) => DocumentKind | null,
): Recognition {
  const reading = readText(root, file, limits);
  if (reading.kind === "absent") return { kind: null, issue: null };
  if (reading.kind === "refused") return { kind: null, issue: reading.issue };
  if (reading.bytes.length > MOST_PARSED) {
    const { isWhole, value } = skimDocument(reading.text);
    const detail = "The file is not complete JSON; it may be half written.";
    if (!isWhole) return { kind: null, issue: prepareIssue(root, "json_torn", file, detail) };
    return { kind: value && recognise(value), issue: null };
  }
  const document = parseDocument(root, file, reading);
  if (document.kind !== "read")
    return { kind: null, issue: document.kind === "refused" ? document.issue : null };
  return { kind: recognise(document.value), issue: null };
}
