import type { Breakdown } from "@/lib/domain/breakdown";
import type { LoadIssue } from "@/lib/domain/load-issue";

import {
  DETAILS_KINDS,
  type DetailsFile,
  listDetailsTags,
  listVerifierFolders,
  MAX_DETAILS_BYTES,
  parseDetailsFile,
  toBreakdownSource,
} from "./details-file";
import { chooseStepFolders } from "./step-folders";
import { readTextInside } from "./open-inside";

/** A trial's breakdown: `reward-details.json`, then `details.json`, of the trial and of each step. */
export async function readBreakdown(
  trialPath: string,
  stepNames: readonly string[] | null = null,
): Promise<Breakdown> {
  const files: DetailsFile[] = [];
  const issues: LoadIssue[] = [];
  for (const { folder, step } of listVerifierFolders(await chooseStepFolders(trialPath, stepNames))) {
    for (const kind of DETAILS_KINDS) {
      const file = `${folder}/${kind}.json`;
      const text = await readTextInside(trialPath, file, MAX_DETAILS_BYTES);
      if (text === null) continue;
      const parsed = text.ok ? parseDetailsFile(text.value, { file, step, kind }) : text;
      if (!parsed.ok) issues.push(parsed.issue);
      else if (parsed.value !== null) files.push(parsed.value);
    }
  }
  return {
    sources: files.map(toBreakdownSource).filter(({ dimensions }) => dimensions.length > 0),
    errorTags: listDetailsTags(files),
    files: files.map(({ file }) => file),
    issues,
  };
}
