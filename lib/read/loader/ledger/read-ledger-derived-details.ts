import { isAbsolute, posix } from "node:path";

import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { ErrorTag } from "@/lib/core/domain/trial";
import type { AgentOutput } from "@/lib/core/domain/verifier-check";
import { parseErrorTag } from "@/lib/core/evaluation";

import { collectDerivedDetails, type DetailsFile } from "../detail/details-file";
import { isObject, listOr } from "../detail/json-shape";
import { folderName, joinFolder, type LoadRoot, parentFolder, prepareIssue } from "../discover/load-root";
import type { DerivedDetailsReading } from "../harbor/read-derived-details";
import { readOutputFile } from "../harbor/read-output";
import { isInSameOpened } from "../opened-inside";
import { type LedgerEvaluation, type LedgerRecord, readLedgerRecord } from "./read-record";

export function readLedgerDerivedDetails(root: LoadRoot, file: string): DerivedDetailsReading {
  const { record } = readLedgerRecord(root, file);
  const evaluation = record?.evaluation ?? null;
  const breakdowns = listBreakdowns(folderName(root, file), evaluation);
  const issues: LoadIssue[] = [];
  const report = (code: LoadIssue["code"], detail: string) =>
    issues.push(prepareIssue(root, code, file, detail));
  return {
    derivedDetails: {
      ...collectDerivedDetails(breakdowns, null, report, listStatedTags(evaluation)),
      tests: null,
      output: readNamedOutput(root, file, record),
      crash: null,
      explainsZero: evaluation?.result?.validity.output_parseable === false,
    },
    issues,
  };
}

/** Reads the named output if it is in the opened folder: most are container paths. */
function readNamedOutput(root: LoadRoot, file: string, record: LedgerRecord | null): AgentOutput {
  const named = (record?.facts.paths ?? []).filter(({ name }) => name === "output" || name === "raw output");
  for (const { path } of named) {
    for (const candidate of listCandidates(root, parentFolder(file), path)) {
      const output = readOutputFile(root, candidate);
      if (output.kind === "known" || output.reason !== "none") return output;
    }
  }
  return { kind: "unknown", reason: "none" };
}

/** Resolves a record's path below the root; none if it leaves the root or enters another opened folder. */
export function listCandidates(root: LoadRoot, experiment: string, path: string): string[] {
  if (path.includes("\0")) return [];
  const places = isAbsolute(path)
    ? path.startsWith(`${root.path}/`)
      ? [posix.normalize(path.slice(root.path.length + 1))]
      : []
    : [parentFolder(parentFolder(experiment)), experiment].map((folder) =>
        posix.normalize(joinFolder(folder, path)),
      );
  return [...new Set(places)].filter(
    (place) =>
      place !== "." &&
      !/^\.\.(?:\/|$)/.test(place) &&
      isInSameOpened(`${root.path}/${place}`, `${root.path}/${experiment}`),
  );
}

export function listBreakdowns(name: string, evaluation: LedgerEvaluation | null): readonly DetailsFile[] {
  const breakdown = evaluation?.stated?.["breakdown"];
  return isObject(breakdown) ? [{ file: name, step: null, kind: "details", root: breakdown }] : [];
}

/** Parses error tags separately, so that a broken one hides no other. */
export function listStatedTags(evaluation: LedgerEvaluation | null): readonly ErrorTag[] {
  return listOr(evaluation?.stated?.["error_taxonomy"]).flatMap((entry) => {
    const parsed = isObject(entry) ? parseErrorTag(entry) : null;
    return parsed?.ok === true ? parsed.value : [];
  });
}
