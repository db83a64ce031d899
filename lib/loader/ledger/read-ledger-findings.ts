import type { ErrorTag } from "@/lib/domain/trial";
import { parseErrorTag } from "@/lib/evaluation";

import { collectFindings, type DetailsFile } from "../detail/details-file";
import { isObject, listOr } from "../detail/json-shape";
import { folderName, type LoadRoot } from "../load-root";
import type { FindingsReading } from "../read-findings";
import type { LedgerEvaluation } from "./parse-evaluation";
import { readLedgerRecord } from "./read-record";

/**
 * Shares by dimension and error tags of a ledger's record. What is wrong with the record was told when it was read as a
 * trial, so there are no issues here.
 */
export function readLedgerFindings(root: LoadRoot, file: string): FindingsReading {
  const { record } = readLedgerRecord(root, file);
  const evaluation = record?.evaluation ?? null;
  const said = collectFindings(listBreakdowns(folderName(root, file), evaluation), null);
  return {
    findings: {
      ...said,
      errorTags: [...listStatedTags(evaluation), ...said.errorTags],
      // Records name files of the machine that ran them, so what an agent put out is not known to be still the same.
      output: { kind: "unknown", reason: "none" },
      crash: null,
    },
    issues: [],
  };
}

/** The breakdown of an evaluation as a verifier's file of details; none where it has none. */
export function listBreakdowns(name: string, evaluation: LedgerEvaluation | null): readonly DetailsFile[] {
  const breakdown = evaluation?.stated?.["breakdown"];
  return isObject(breakdown) ? [{ file: name, step: null, kind: "details", root: breakdown }] : [];
}

/** Error tags that an evaluation states, each by itself, so that one that is broken hides no other. */
export function listStatedTags(evaluation: LedgerEvaluation | null): readonly ErrorTag[] {
  return listOr(evaluation?.stated?.["error_taxonomy"]).flatMap((entry) => {
    const parsed = isObject(entry) ? parseErrorTag(entry) : null;
    return parsed?.ok === true ? parsed.value : [];
  });
}
