import { readFileSync, statSync } from "node:fs";

import { StoreError } from "@/lib/core/domain/app-error";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { makeRuleSet } from "@/lib/core/triage/rule-set";
import type { RuleSet, RulesProblem } from "@/lib/core/triage/rules";
import {
  type ScannerSource,
  fingerprintScanners,
  prepareScannerSet,
  readOwnScanners,
} from "@/lib/read/scanners";
import { toStoreError } from "@/lib/store/database";
import {
  type LateReading,
  type PendingJob,
  finishFailures,
  finishScans,
  finishTexts,
  markUnclassified,
  nextGeneration,
  readPendingJobs,
  readScannerSetFingerprint,
  writeScannerSet,
} from "@/lib/store/tables";

import { describeFailure, describeUnclassified, prepareIssueRows } from "./issue-rows";
import type { IndexStatus } from "./progress";
import { type DerivedDetailsTask, failJobDerivedDetails } from "./read-derived-details";
import type { IndexerOptions, ReadingRequest } from "./reader";

/** How often pages see derived details during a long reading. */
const PUBLISH_EVERY_MS = 1000;
/** The same for texts and scans, which fewer pages show, and for failure classes, which are recounted over all trials. */
const TELL_EVERY_MS = 5000;
const READINGS: readonly LateReading[] = ["hasDerivedDetails", "failureRules", "hasTexts", "hasScans"];
const QUIET_READINGS = READINGS.slice(0, 2);
/** Up to this many trials are read before the scan ends, so that pages of small folders never show partial data. */
const FEW_TRIALS = 1_000;

interface DerivedDetailsRunOptions extends Pick<
  IndexerOptions,
  "store" | "executor" | "roots" | "dataFolder"
> {
  readonly rules: FailureRules;
  readonly mayWrite: () => Promise<boolean>;
  readonly onProgress: (progress: Partial<IndexStatus>) => void;
}

/**
 * Reads derived details, then failure classes, searched texts and scans, after all results. One job at a time, so that pages keep
 * a processor; scans of folders interrupt it between jobs. A job that cannot be read gets an issue and is skipped until it is read
 * again.
 */
export class DerivedDetailsRun {
  private readonly options: DerivedDetailsRunOptions;
  private readonly first = new Set<number>();
  private readonly failed = new Set<number>();
  private ownScanners: readonly ScannerSource[] = [];
  private working: Promise<void> | null = null;
  private publishing: Promise<void> | null = null;
  private publishedAt = 0;
  private isStopped = true;
  /** True if the caller notifies pages. */
  private isQuiet = false;
  private isUnpublished = false;

  constructor(options: DerivedDetailsRunOptions) {
    this.options = options;
  }

  prioritise(jobRowId: number): void {
    this.first.add(jobRowId);
  }

  start(): void {
    this.isStopped = false;
    this.isQuiet = false;
    this.continue();
  }

  /** Reads what is left if that is little. @returns true if pages must be notified */
  async readFew(): Promise<boolean> {
    const n = Math.max(await this.countTrials("hasDerivedDetails"), await this.countTrials("failureRules"));
    if (n > 0 && n <= FEW_TRIALS) {
      this.isStopped = false;
      this.isQuiet = true;
      this.continue();
      await this.working;
    }
    return this.isUnpublished;
  }

  markPublished(): void {
    this.isUnpublished = false;
  }

  /** Starts no job and writes no generation after this; finishes the job in progress. */
  async stop(): Promise<void> {
    this.isStopped = true;
    // If it failed, the work has ended too, and the next scan meets the same fault.
    await this.publishing?.catch(() => undefined);
  }

  async settle(): Promise<void> {
    while (this.working !== null) await this.working;
  }

  private continue(): void {
    this.working ??= this.work()
      // The next scan meets the same fault and reports it.
      .catch(() => (this.isStopped = true))
      .then((isDone) => {
        this.working = null;
        // Restarted after it saw that it was to stop.
        if (!isDone && !this.isStopped) this.continue();
      });
  }

  private async work(): Promise<boolean> {
    const { roots, mayWrite, onProgress } = this.options;
    const nDerivedDetailsToRead = await this.countTrials("hasDerivedDetails");
    let nDerivedDetailsRead = 0;
    let before: LateReading | null = null;
    let [areScannersKnown, areRulesKnown] = [false, false];
    const onTrials = (n: number) => {
      nDerivedDetailsRead += n;
      onProgress({
        nDerivedDetailsRead,
        nDerivedDetailsToRead: Math.max(nDerivedDetailsRead, nDerivedDetailsToRead),
      });
    };
    try {
      for (;;) {
        if (this.isStopped) return false;
        if (!(await mayWrite())) return true;
        // A quiet run may become another one.
        if (!this.isQuiet && !areScannersKnown) await this.updateScanners();
        areScannersKnown ||= !this.isQuiet;
        if (!areRulesKnown) await this.updateRules();
        areRulesKnown = true;
        const next = await this.findNext();
        const root = next === null ? undefined : roots[next.job.root];
        if (next === null || root === undefined) break;
        // The next kind does not delay the end of one.
        const pauseMs = before === "hasDerivedDetails" ? PUBLISH_EVERY_MS : TELL_EVERY_MS;
        await this.publish(before === next.reading ? pauseMs : 0);
        await this.read({ root, job: next.job }, next.reading, onTrials);
        this.isUnpublished = true;
        before = next.reading;
      }
      await this.publish();
      return true;
    } finally {
      if (nDerivedDetailsToRead > 0) onProgress({ nDerivedDetailsRead: 0, nDerivedDetailsToRead: 0 });
    }
  }

  private async findNext(): Promise<{ readonly job: PendingJob; readonly reading: LateReading } | null> {
    for (const reading of this.isQuiet ? QUIET_READINGS : READINGS) {
      const pending = await this.listPending(reading);
      const job = pending.find(({ id }) => this.first.has(id)) ?? pending[0];
      if (job !== undefined) return { job, reading };
    }
    return null;
  }

  private async listPending(reading: LateReading): Promise<readonly PendingJob[]> {
    const { store, rules } = this.options;
    const pending = await readPendingJobs(store, reading, rules.set.version);
    return reading === "hasDerivedDetails"
      ? pending.filter(({ version }) => !this.failed.has(version))
      : pending;
  }

  private async countTrials(reading: LateReading): Promise<number> {
    return (await this.listPending(reading)).reduce((sum, { nTrials }) => sum + nTrials, 0);
  }

  private async read(
    task: DerivedDetailsTask,
    reading: LateReading,
    onTrials: (n: number) => void,
  ): Promise<void> {
    const { store, executor, rules } = this.options;
    const requests: Readonly<Record<LateReading, ReadingRequest>> = {
      hasDerivedDetails: { kind: "derived-details", task },
      failureRules: { kind: "failures", task: { ...task, rules: rules.set } },
      hasTexts: { kind: "texts", task },
      hasScans: { kind: "scans", task: { ...task, own: this.ownScanners } },
    };
    // Search pages show the progress of the other readings.
    const tell = (): void => {
      this.isUnpublished = true;
      void this.publish(TELL_EVERY_MS).catch(() => undefined);
    };
    try {
      await executor.run(requests[reading], reading === "hasDerivedDetails" ? onTrials : tell);
    } catch (error) {
      if (toStoreError(error, store.target) instanceof StoreError) throw error;
      await this.fail(task, reading, error);
    }
  }

  /** Keeps what was read before the failure: it identifies trials, and the rest counts as unclassified. */
  private async fail(task: DerivedDetailsTask, reading: LateReading, error: unknown): Promise<void> {
    const { store, rules } = this.options;
    const { root, job } = task;
    if (reading === "hasDerivedDetails") {
      this.failed.add(job.version);
      await failJobDerivedDetails(store, task, describeFailure(root, job.folder, error));
    } else if (reading === "failureRules") {
      const issue = describeUnclassified(root, job.folder, error);
      const scope = { root, folder: job.folder, trials: [], origin: "failures" as const };
      await finishFailures(store, job, rules.set.version, prepareIssueRows([issue], scope));
    } else if (reading === "hasTexts") await finishTexts(store, job);
    else await finishScans(store, job, () => []);
  }

  private async updateScanners(): Promise<void> {
    const { store, dataFolder } = this.options;
    const own = readOwnScanners(dataFolder);
    const fingerprint = fingerprintScanners(own);
    this.ownScanners = own;
    if (fingerprint === (await readScannerSetFingerprint(store))) return;
    await writeScannerSet(store, prepareScannerSet(own));
  }

  private async updateRules(): Promise<void> {
    const { store, rules } = this.options;
    if (!(await markUnclassified(store, rules.set.version))) return;
    this.isUnpublished = true;
    await this.publish();
  }

  private async publish(pauseMs = 0): Promise<void> {
    if (this.isStopped || this.isQuiet || !this.isUnpublished) return;
    if (performance.now() - this.publishedAt < pauseMs) return;
    this.isUnpublished = false;
    this.publishedAt = performance.now();
    const write = async () =>
      this.options.onProgress({ generation: await nextGeneration(this.options.store) });
    this.publishing = write();
    await this.publishing;
  }
}

export const RULES_FILE = "rules.toml";

const MAX_BYTES = 1 << 20;
/** Reported mistakes; a single one disables the user's rules. */
const MAX_PROBLEMS = 20;

/** The rules in force: the user's own before the built-in ones. */
export class FailureRules {
  private readonly file: string | null;
  private text: string | null = null;
  private reading = makeRuleSet(null);

  constructor(file: string | null) {
    this.file = file;
  }

  get set(): RuleSet {
    return this.reading.set;
  }

  /** Reads the user's rules again. @returns their problems; the built-in rules alone apply then */
  read(): readonly LoadIssue[] {
    const { file } = this;
    const read = file === null ? null : readText(file);
    const refusal = typeof read === "object" ? read : null;
    const text = typeof read === "string" ? read : null;
    if (text !== this.text) this.reading = makeRuleSet(text);
    this.text = text;
    const all = refusal === null ? this.reading.problems : [refusal];
    return all.slice(0, MAX_PROBLEMS).map((problem) => describeProblem(file ?? "", problem));
  }
}

function readText(file: string): string | RulesProblem | null {
  const refuse = (detail: string): RulesProblem => ({ line: null, rule: null, detail });
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    if (!stats.isFile()) return refuse("it is not a file");
    if (stats.size > MAX_BYTES) return refuse("it is larger than 1 MiB");
    return readFileSync(file, "utf8");
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function describeProblem(file: string, { line, rule, detail }: RulesProblem): LoadIssue {
  const place = [line === null ? "" : `Line ${line}`, rule === null ? "" : `rule "${rule}"`].filter(Boolean);
  const said = place.length === 0 ? detail : `${place.join(", ")}: ${detail}`;
  return {
    code: "rules_invalid",
    path: file,
    detail: `${said}. Until this is corrected, only the bundled rules apply.`,
  };
}
