import type { Breakdown } from "@/lib/core/domain/breakdown";

import { listDetailsTags, toBreakdownSource } from "../detail/details-file";
import { folderName, type LoadRoot, parentFolder } from "../discover/load-root";
import { listLedgerFiles, type LedgerFiles } from "./list-ledger-files";
import type { JudgedTrial } from "./read-judgments";
import { listBreakdowns, listStatedTags } from "./read-ledger-derived-details";
import { type LedgerRecord, readLedgerRecord } from "./read-record";
import { readTrialJudgments, type TrialJudgmentsReading } from "./read-reviewers";

export interface LedgerDetails extends LedgerFiles, TrialJudgmentsReading {
  readonly record: LedgerRecord | null;
  readonly breakdown: Breakdown;
}

export async function readLedgerDetails(root: LoadRoot, trial: JudgedTrial): Promise<LedgerDetails> {
  const file = trial.folder;
  const { record } = readLedgerRecord(root, file);
  const reading = readTrialJudgments(root, parentFolder(file), trial);
  const sources = listBreakdowns(folderName(root, file), record?.evaluation ?? null);
  return {
    ...reading,
    ...(await listLedgerFiles(root, file, record?.facts ?? null, reading)),
    record,
    breakdown: {
      sources: sources.map(toBreakdownSource).filter(({ dimensions }) => dimensions.length > 0),
      errorTags: [...listStatedTags(record?.evaluation ?? null), ...listDetailsTags(sources)],
      files: [file],
      issues: [],
    },
  };
}
