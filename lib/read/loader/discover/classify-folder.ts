import { listRecordedNames } from "@/lib/core/domain/job";
import { recogniseHarborDocument } from "@/lib/read/schema/recognise";

import { FILE_LIMITS, type FolderListing } from "../file-access";
import { isAbsent, isFolder, statFolder } from "../file-stamp";
import { isExperiment } from "../ledger/recognise-ledger";
import type { DiscoveryMemo, Recognition } from "./discovery-memo";
import { findForeignFiles } from "./foreign-layout";
import { readJobFiles } from "./job-files";
import { folderName, joinFolder, type LoadRoot, parentFolder } from "./load-root";
import { recogniseFile } from "./recognise-file";

/** `unsure`: result.json has an unknown kind, so subfolders decide. */
type FolderKind = "job" | "trial" | "unsure" | "plain";

const TRIAL_MARKERS = ["trial.log", "exception.txt"];
const TRIAL_FOLDERS: ReadonlySet<string> = new Set(["agent", "verifier", "artifacts", "steps", "user-agent"]);
export const TRIAL_NAME = /__\w{7}$/;

export class FolderClassifier {
  private recorded: { readonly job: string; readonly names: ReadonlySet<string> } | null = null;
  private readonly root: LoadRoot;
  private readonly memo: DiscoveryMemo;

  constructor(root: LoadRoot, memo: DiscoveryMemo) {
    this.root = root;
    this.memo = memo;
  }

  classify(folder: string, { files, folders }: FolderListing, isInsideJob: boolean): FolderKind {
    const hasTrialFolder = folders.some((name) => TRIAL_FOLDERS.has(name));
    const isMarked = hasTrialFolder || TRIAL_MARKERS.some((name) => files.has(name));
    if (isInsideJob && isMarked && !files.has("job.log")) return "trial";
    const document = this.recognise(folder, files);
    if (document === "job") return "job";
    if (document === "trial") return this.isRenamedTrial(folder, files) ? "plain" : "trial";
    return classifyByNames(folder, files, folders, isInsideJob);
  }

  isPlainTrial(folder: string): boolean {
    if (!isFolder(this.root, joinFolder(folder, "agent"))) return false;
    // Jobs contain no agent files, so a trial name is conclusive.
    return TRIAL_NAME.test(folder) || isAbsent(this.root, joinFolder(folder, "job.log"));
  }

  isLockedTrial(folder: string): boolean {
    if (!statFolder(this.root, folder).canEnter) return false;
    return (
      TRIAL_NAME.test(folder) || this.listRecorded(parentFolder(folder)).has(folderName(this.root, folder))
    );
  }

  /** An unknown result.json does not hide the records next to it. */
  isLedger(folder: string, kind: FolderKind, listing: FolderListing): boolean {
    return kind !== "job" && kind !== "trial" && isExperiment(this.root, this.memo, folder, listing);
  }

  recogniseHarbor(file: string): Recognition {
    const recognise = () => recogniseFile(this.root, file, FILE_LIMITS.result, recogniseHarborDocument);
    return this.memo.recallKind(this.root, file, recognise);
  }

  private recognise(folder: string, files: ReadonlySet<string>): "job" | "trial" | null {
    for (const name of ["result.json", "config.json"]) {
      if (!files.has(name)) continue;
      const file = joinFolder(folder, name);
      const document = this.recogniseHarbor(file).kind;
      if (document?.endsWith(name === "result.json" ? "-result" : "-config")) {
        return document.startsWith("job") ? "job" : "trial";
      }
    }
    return null;
  }

  private isRenamedTrial(folder: string, files: ReadonlySet<string>): boolean {
    return !files.has("result.json") && findForeignFiles(this.root, this.memo, folder, files).length > 0;
  }

  private listRecorded(job: string): ReadonlySet<string> {
    if (this.recorded?.job !== job) {
      this.recorded = { job, names: listRecordedNames(readJobFiles(this.root, job).recorded?.groups) };
    }
    return this.recorded.names;
  }
}

function classifyByNames(
  folder: string,
  files: ReadonlySet<string>,
  folders: readonly string[],
  isInsideJob: boolean,
): FolderKind {
  if (files.has("job.log")) return "job";
  if (files.has("trial.log") || (folders.includes("agent") && folders.includes("verifier"))) return "trial";
  if (isInsideJob && TRIAL_NAME.test(folder)) return "trial";
  return files.has("result.json") ? "unsure" : "plain";
}
