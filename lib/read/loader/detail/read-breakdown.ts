import type { Breakdown } from "@/lib/core/domain/breakdown";
import type { LoadIssue } from "@/lib/core/domain/load-issue";

import {
  DETAILS_KINDS,
  type DetailsFile,
  listDetailsTags,
  listVerifierFolders,
  parseDetailsFile,
  toBreakdownSource,
} from "./details-file";
import { listFolderInside, readTextInside } from "./open-inside";
import { MAX_CHECKS_BYTES, readChecksRoot, selectChecksFiles } from "./parse-checks";
import { chooseStepFolders } from "./step-folders";

export async function readBreakdown(
  trialPath: string,
  stepNames: readonly string[] | null = null,
): Promise<Breakdown> {
  const files: DetailsFile[] = [];
  const issues: LoadIssue[] = [];
  for (const { folder, step } of listVerifierFolders(await chooseStepFolders(trialPath, stepNames))) {
    for (const kind of DETAILS_KINDS) {
      const file = `${folder}/${kind}.json`;
      const text = await readTextInside(trialPath, file);
      if (text === null) continue;
      const parsed = text.ok ? parseDetailsFile(text.value, { file, step, kind }) : text;
      if (!parsed.ok) issues.push(parsed.issue);
      else if (parsed.value !== null) files.push(parsed.value);
    }
    files.push(...(await readChecks(trialPath, folder, step)));
  }
  return {
    sources: files.map(toBreakdownSource).filter(({ dimensions }) => dimensions.length > 0),
    errorTags: listDetailsTags(files),
    files: files.map(({ file }) => file),
    issues,
  };
}

async function readChecks(trialPath: string, folder: string, step: string | null): Promise<DetailsFile[]> {
  const names = (await listFolderInside(trialPath, folder)).map(({ name }) => name);
  const found: DetailsFile[] = [];
  for (const name of selectChecksFiles(names)) {
    const file = `${folder}/${name}`;
    const text = await readTextInside(trialPath, file, MAX_CHECKS_BYTES);
    const root = text?.ok === true ? readChecksRoot(text.value) : null;
    if (root !== null) found.push({ file, step, kind: "checks", root });
  }
  return found;
}
