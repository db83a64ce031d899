import { compareText } from "@/lib/core/domain/compare-text";
import { type JobKind, listRecordedNames } from "@/lib/core/domain/job";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { recogniseHarborDocument } from "@/lib/read/schema/recognise";

import { type FolderListing, listFolder, FILE_LIMITS } from "../file-access";
import { isAbsent, isFolder, statFolder } from "../file-stamp";
import { isLedgerFolder, isExperiment } from "../ledger/ledger-folder";
import { findRollouts, listRollouts } from "../served/data-folder";
import { DiscoveryMemo, stampListing, type Recognition } from "./discovery-memo";
import { findForeignFiles, type ForeignMatch, prepareForeignIssues, recogniseFile } from "./foreign-layout";
import { readJobFiles } from "./job-files";
import {
  joinFolder,
  type LoadRoot,
  parentFolder,
  prepareIssue,
  resolveLink,
  ROOT_AS_TRIAL,
  folderName,
} from "./load-root";

export interface DiscoveredJob {
  readonly folder: string;
  readonly kind: JobKind;
  /** Relative to the root, in directory order. For a ledger, its trial records. */
  readonly trialFolders: readonly string[];
}

/** Limits per root. No real tree comes near; they bound memory for endless ones. */
const SEARCH_LIMITS = { depth: 16, trials: 2_000_000, otherFolders: 200_000 };
/** Enough to identify other layouts without spending minutes in a home directory. */
const MAX_FOREIGN_FOLDERS = 2000;
/** `harbor serve` stores jobs in `.harbor` by default. */
const SKIPPED_FOLDERS = /^(?:\.(?!harbor$)|node_modules$|__pycache__$)/;

/**
 * Finds jobs in path order, checking only what changed since `memo` was last used. Does not enter trial folders. Follows only links
 * to trials that the job does not have otherwise, so that no loop can arise.
 */
export function discoverJobs(
  root: LoadRoot,
  memo: DiscoveryMemo = new DiscoveryMemo(),
  limits = SEARCH_LIMITS,
) {
  const scan = new FolderScan(root, memo, limits);
  const loose: string[] = [];
  scan.visit({ folder: "", depth: 0, trials: loose, isInsideJob: false });
  const jobs = [...scan.jobs, ...gatherLooseTrials(loose)];
  jobs.sort((a, b) => compareText(a.folder, b.folder));
  const issues = [...scan.issues, ...prepareForeignIssues(root, scan.foreign)];
  const detail = "No Harbor job or ledger was found below this folder. Open the folder that holds the jobs.";
  if (jobs.length === 0) issues.push(prepareIssue(root, "no_jobs_found", "", detail));
  return { jobs, issues };
}

interface Visit {
  readonly folder: string;
  readonly depth: number;
  readonly trials: string[];
  readonly isInsideJob: boolean;
}

/** `unsure`: result.json has an unknown kind, so subfolders decide. */
type FolderKind = "job" | "trial" | "unsure" | "plain";

const TRIAL_MARKERS = ["trial.log", "exception.txt"];
const TRIAL_FOLDERS: ReadonlySet<string> = new Set(["agent", "verifier", "artifacts", "steps", "user-agent"]);
const TRIAL_NAME = /__\w{7}$/;

class FolderScan {
  readonly jobs: DiscoveredJob[] = [];
  readonly issues: LoadIssue[] = [];
  readonly foreign: ForeignMatch[] = [];
  private isCut = false;
  private nTrials = 0;
  private nOtherFolders = 0;
  private readonly root: LoadRoot;
  private readonly memo: DiscoveryMemo;
  private recorded: { readonly job: string; readonly names: ReadonlySet<string> } | null = null;
  private readonly limits: typeof SEARCH_LIMITS;

  constructor(root: LoadRoot, memo: DiscoveryMemo, limits: typeof SEARCH_LIMITS) {
    this.root = root;
    this.memo = memo;
    this.limits = limits;
  }

  visit(visit: Visit): void {
    const { folder, depth, trials, isInsideJob } = visit;
    if (depth > this.limits.depth) {
      const detail = `Folders more than ${this.limits.depth} levels below the opened one are not searched. Open a folder nearer to the jobs.`;
      this.issues.push(prepareIssue(this.root, "too_deep", folder, detail));
      return;
    }
    if (this.isFull()) {
      this.reportFull(folder);
      return;
    }
    if (isInsideJob && this.isPlainTrial(folder)) {
      this.addTrial(trials, folder);
      return;
    }
    const { stamp, isSettled } = stampListing(this.root, folder);
    const known = this.memo.recallTrialFolders(folder, stamp);
    if (known !== null) {
      this.jobs.push({ folder, kind: "harbor", trialFolders: known });
      this.nTrials += known.length;
      return;
    }
    const listing = listFolder(this.root, folder);
    if ("code" in listing) {
      this.visitLocked(visit, listing);
      return;
    }
    const kind = this.classify(folder, listing, isInsideJob);
    if (kind === "trial") {
      this.addTrial(trials, folder === "" ? ROOT_AS_TRIAL : folder);
      return;
    }
    this.nOtherFolders++;
    for (const issue of listing.issues) this.issues.push(issue);
    if (!isInsideJob && this.isLedger(folder, kind, listing)) this.visitLedger(visit, listing);
    else if (kind === "plain") this.visitPlain(visit, listing);
    else this.visitJob(visit, listing, kind, isSettled ? stamp : null);
  }

  private addTrial(trials: string[], folder: string): void {
    trials.push(folder);
    this.nTrials++;
  }

  private isFull(): boolean {
    return this.nTrials >= this.limits.trials || this.nOtherFolders >= this.limits.otherFolders;
  }

  private reportFull(folder: string): void {
    if (this.isCut) return;
    this.isCut = true;
    const [trials, folders] = [this.limits.trials, this.limits.otherFolders];
    const limit =
      this.nTrials >= trials
        ? `${trials.toLocaleString("en")} trials`
        : `${folders.toLocaleString("en")} folders that are not trials`;
    const detail = `The search stopped here: at most ${limit} are searched. Open a folder nearer to the jobs.`;
    this.issues.push(prepareIssue(this.root, "too_many_folders", folder, detail));
  }

  private visitLocked({ folder, trials, isInsideJob }: Visit, issue: LoadIssue): void {
    if (isInsideJob && this.isLockedTrial(folder)) this.addTrial(trials, folder);
    else this.issues.push(issue);
  }

  private visitJob(
    visit: Visit,
    listing: FolderListing,
    kind: "job" | "unsure",
    settledStamp: string | null,
  ): void {
    const own: string[] = [];
    this.visitBelow({ ...visit, trials: own, isInsideJob: kind === "job" }, listing);
    if (kind === "job" || own.length > 0) {
      const holdsOnlyTrials =
        kind === "job" &&
        listing.issues.length === 0 &&
        own.length === this.listChildren(visit, listing).length;
      if (holdsOnlyTrials && settledStamp !== null)
        this.memo.rememberTrialFolders(visit.folder, settledStamp, own);
      this.jobs.push({ folder: visit.folder, kind: "harbor", trialFolders: own });
    } else {
      this.reportForeignResult(visit.folder);
    }
  }

  private visitLedger(visit: Visit, { files, folders }: FolderListing): void {
    const { folder, depth } = visit;
    const records = [...files].filter((name) => name.endsWith(".json"));
    const trialFolders = records.map((name) => joinFolder(folder, name));
    this.jobs.push({ folder, kind: "ledger", trialFolders });
    this.nTrials += records.length;
    for (const name of folders) {
      if (!name.startsWith("_") && !SKIPPED_FOLDERS.test(name))
        this.visit({ ...visit, folder: joinFolder(folder, name), depth: depth + 1 });
    }
  }

  private visitPlain(visit: Visit, listing: FolderListing): void {
    const { folder, depth } = visit;
    const rollouts = visit.isInsideJob ? null : findRollouts(this.root, folder, listing);
    if (rollouts === null) {
      this.visitBelow(visit, listing);
      return;
    }
    const own: string[] = [];
    for (const rollout of listRollouts(this.root, rollouts))
      this.visit({ folder: rollout, depth: depth + 1, trials: own, isInsideJob: true });
    this.jobs.push({ folder, kind: "served", trialFolders: own });
    const isOther = (name: string) => !isWithin(rollouts, joinFolder(folder, name));
    this.visitBelow(visit, { ...listing, folders: listing.folders.filter(isOther) });
  }

  private visitBelow(visit: Visit, listing: FolderListing): void {
    if (!visit.isInsideJob && this.nOtherFolders <= MAX_FOREIGN_FOLDERS) {
      this.foreign.push(...findForeignFiles(this.root, this.memo, visit.folder, listing.files));
    }
    const linked = new Set(listing.linkedFolders);
    const followed = new Set<string>();
    for (const name of this.listChildren(visit, listing)) {
      const folder = joinFolder(visit.folder, name);
      if (linked.has(name) && !this.mayFollow(visit.folder, folder, followed)) continue;
      this.visit({ ...visit, folder, depth: visit.depth + 1 });
    }
  }

  /**
   * True if a link leads to a trial that neither the job nor an earlier link (`followed`) has; otherwise reports an issue. Other
   * links are never searched, because they could form a loop.
   */
  private mayFollow(job: string, link: string, followed: Set<string>): boolean {
    const resolved = resolveLink(this.root, link);
    const target = "failure" in resolved ? null : resolved.target;
    if (target === null) return false;
    const isRepeated = isWithin(job, target) || isWithin(target, job) || followed.has(target);
    followed.add(target);
    if (!isRepeated && this.leadsToTrial(link, target)) return true;
    const why = isRepeated ? "something the job already has" : "a folder that is not a trial";
    const detail = `The link points to ${why} and was not followed.`;
    this.issues.push(prepareIssue(this.root, "link_repeated", link, detail));
    return false;
  }

  private leadsToTrial(link: string, target: string): boolean {
    const listing = listFolder(this.root, target);
    return "code" in listing ? this.isLockedTrial(link) : this.classify(target, listing, true) === "trial";
  }

  private listChildren({ folder, isInsideJob }: Visit, listing: FolderListing): readonly string[] {
    const names = listing.folders.filter((name) => !SKIPPED_FOLDERS.test(name));
    if (isLedgerFolder(this.root, folder)) return names.filter((name) => !name.startsWith("_"));
    if (!isInsideJob) return names;
    const linked = listing.linkedFolders.filter((name) => TRIAL_NAME.test(name));
    const own = names.filter((name) => name !== "_retries");
    return linked.length === 0 ? own : [...own, ...linked].sort();
  }

  private reportForeignResult(folder: string): void {
    const file = joinFolder(folder, "result.json");
    const detail = "The file is not a result that Harbor wrote, and there is no trial below it.";
    this.issues.push(
      this.recogniseHarbor(file).issue ?? prepareIssue(this.root, "result_foreign", file, detail),
    );
  }

  private classify(folder: string, { files, folders }: FolderListing, isInsideJob: boolean): FolderKind {
    const hasTrialFolder = folders.some((name) => TRIAL_FOLDERS.has(name));
    const isMarked = hasTrialFolder || TRIAL_MARKERS.some((name) => files.has(name));
    if (isInsideJob && isMarked && !files.has("job.log")) return "trial";
    const document = this.recognise(folder, files);
    if (document === "job") return "job";
    if (document === "trial") {
      const isNamed = files.has("result.json");
      const isRenamed = !isNamed && findForeignFiles(this.root, this.memo, folder, files).length > 0;
      return isRenamed ? "plain" : "trial";
    }
    return classifyByNames(folder, files, folders, isInsideJob);
  }

  private isPlainTrial(folder: string): boolean {
    if (!isFolder(this.root, joinFolder(folder, "agent"))) return false;
    // Jobs contain no agent files, so a trial name is conclusive.
    return TRIAL_NAME.test(folder) || isAbsent(this.root, joinFolder(folder, "job.log"));
  }

  private isLockedTrial(folder: string): boolean {
    if (!statFolder(this.root, folder).canEnter) return false;
    return (
      TRIAL_NAME.test(folder) || this.listRecorded(parentFolder(folder)).has(folderName(this.root, folder))
    );
  }

  /** An unknown result.json does not hide the records next to it. */
  private isLedger(folder: string, kind: FolderKind, listing: FolderListing): boolean {
    return kind !== "job" && kind !== "trial" && isExperiment(this.root, this.memo, folder, listing);
  }

  private recogniseHarbor(file: string): Recognition {
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

  private listRecorded(job: string): ReadonlySet<string> {
    if (this.recorded?.job !== job) {
      this.recorded = { job, names: listRecordedNames(readJobFiles(this.root, job).recorded?.groups) };
    }
    return this.recorded.names;
  }
}

function isWithin(folder: string, other: string): boolean {
  return other === "" || folder === other || folder.startsWith(`${other}/`);
}

function gatherLooseTrials(trials: readonly string[]): DiscoveredJob[] {
  const byParent = Map.groupBy(trials, (trial) => (trial === ROOT_AS_TRIAL ? "" : parentFolder(trial)));
  const isSingle = (parent: string) => parent !== "" && byParent.get(parent)?.length === 1;
  const singles = Map.groupBy([...byParent.keys()].filter(isSingle), parentFolder);
  const holderOf = (parent: string) =>
    isSingle(parent) && (singles.get(parentFolder(parent))?.length ?? 0) > 1 ? parentFolder(parent) : parent;
  const jobs = Map.groupBy([...byParent], ([parent]) => holderOf(parent));
  return Array.from(jobs, ([folder, groups]) => ({
    folder,
    kind: "loose",
    trialFolders: groups.flatMap(([, group]) => group).sort(),
  }));
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
