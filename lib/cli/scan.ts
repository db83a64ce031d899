import { statSync } from "node:fs";
import { basename } from "node:path";

import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import type { JobRecord } from "@/lib/core/domain/job";
import { SCANNER_SEVERITIES, type ScannerSeverity, type ScanResult } from "@/lib/core/domain/scanner";
import { listStepNames, type Trial } from "@/lib/core/domain/trial";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { resolveFolder } from "@/lib/read/loader/detail";
import {
  prepareScannerSet,
  readOwnScanners,
  readScannerFile,
  type Scanner,
  type ScannerSet,
  scanTrialFolder,
} from "@/lib/read/scanners";
import { resolveDataFolder } from "@/lib/store/database";

import {
  defineCommand,
  flag,
  parseChoice,
  parseOnlyOperand,
  option,
  UsageError,
  parseSummation,
} from "./command";
import { checkFolder, openFolders, withData } from "./open-folders";
import { type Terminal, makePrintable, makeProgressBar, warn, writeAll, writeJson } from "./terminal";
import { formatRows, type Column } from "./text-table";

export const scan = defineCommand({
  listed: { "scan DIR": "Run scanners over trajectories and files; optionally fail on hits" },
  usage: ["assay scan DIR [OPTIONS]", "assay scan --list [OPTIONS]"],
  about: `Runs scanners over the trajectory and files of every trial in or below DIR, and prints each hit and its place. Your own
scanners are *.toml files in the folder "scanners" of the data folder. One with the id of a bundled scanner replaces it. A
scanner has examples that it must and must not match. If it fails one, it is rejected with file and line.`,
  options: {
    scanner: {
      ...option("ID|FILE", "Only this scanner, by id or *.toml file; can be repeated."),
      multiple: true,
    },
    "fail-on": option(
      "SEVERITY",
      `Exit with 1 if a scanner of at least this severity (high, medium, low) found something or timed out, or if a
scanner was rejected.`,
    ),
    list: flag("List the scanners and the meaning of their hits."),
    data: option("DIR", "Folder with Assay's own data (default $ASSAY_DATA, else the user's data folder)."),
    json: flag("Print JSON (assay.scan/1, with --list assay.scanners/1)."),
  },
  notes: `A scanner:
  id = "no-sudo"
  version = 1
  title = "Became root"
  meaning = "The agent ran a command as root."
  category = "conduct"
  severity = "low"               # high, medium or low
  scope = "steps"                # or "files", with path and text (line by line) instead of the fields below

  [[when]]                       # any [[when]] is enough; all of its regular expressions must match
  role = "agent"                 # role of the step: agent, user, system or other
  arguments = '\\bsudo\\b'       # or tool, files, reasoning, message, output
  not.arguments = 'sudo -n true' # must not match

  [[matches]]
  arguments = "sudo ls"
  [[misses]]
  arguments = "ls"

For steps, at_end = true matches the agent's last step only, and repeats = 3 requires the same call with the same output
three times.`,
  examples: ["assay scan jobs --fail-on high", "assay scan --list"],
  async run({ values, positionals }, terminal) {
    const { data, json } = values;
    const failOn =
      values["fail-on"] === undefined ? null : parseChoice(values["fail-on"], SCANNER_SEVERITIES, "severity");
    if (data !== undefined) checkFolder(data);
    const set = chooseScanners(values.scanner ?? [], resolveDataFolder(withData(terminal.env, data)));
    if (values.list) {
      if (positionals[0] !== undefined) throw new UsageError(`--list takes no operand ${positionals[0]}.`);
      await listScanners(set, json, terminal);
      return set.refused.length > 0 ? 1 : 0;
    }
    const folder = parseOnlyOperand(positionals, "folder");
    const snapshot = openFolders(terminal, [folder], parseSummation(undefined, terminal.env));
    const scan = await scanAll(snapshot, set, terminal);
    if (json) await writeJson(terminal.stdout, prepareJson(folder, set, scan));
    else await writeAll(terminal.stdout, [formatRows(scan.hits, COLUMNS), sumUp(set, scan)]);
    for (const { file, line, reason } of set.refused) warn(terminal, `${file}, line ${line}: ${reason}`);
    return failOn !== null && (set.refused.length > 0 || hasAny(scan.hits, failOn)) ? 1 : 0;
  },
});

/** Selects scanners by id or file; all by default. @throws UsageError for an unknown one, and for a file without a scanner */
function chooseScanners(names: readonly string[], dataFolder: string): ScannerSet {
  const isFile = (name: string) => name.endsWith(".toml");
  const files = names.filter(isFile).map((path) => {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
      throw new UsageError(`File ${path} does not exist.`);
    return { file: basename(path), text: readScannerFile(path), isOwn: true };
  });
  if (names.length === 0) return prepareScannerSet(readOwnScanners(dataFolder));
  const named = prepareScannerSet([...files, ...readOwnScanners(dataFolder)]);
  const [refused] = named.refused.filter(({ file }) => files.some((one) => one.file === file));
  if (refused !== undefined) throw new UsageError(`${refused.file}, line ${refused.line}: ${refused.reason}`);
  const ids = names.filter((name) => !isFile(name));
  const unknown = ids.find((id) => !named.scanners.some((scanner) => scanner.id === id));
  if (unknown !== undefined)
    throw new UsageError(`Unknown scanner ${unknown}. Run assay scan --list to list them.`);
  const scanners = named.scanners.filter(
    ({ id, file, isOwn }) => ids.includes(id) || (isOwn && files.some((one) => one.file === file)),
  );
  return { ...named, scanners, refused: [] };
}

interface Hit {
  readonly job: JobRecord;
  readonly trial: Trial;
  readonly scanner: Scanner;
  readonly result: ScanResult;
}

type Scan = Awaited<ReturnType<typeof scanAll>>;

async function scanAll({ roots, jobs }: CatalogSnapshot, set: ScannerSet, terminal: Terminal) {
  const bar = makeProgressBar(terminal.stderr);
  const all = jobs.flatMap(({ job, trials }) => trials.map((trial) => ({ job, trial })));
  const hits: Hit[] = [];
  let [nScanned, nWithSteps] = [0, 0];
  try {
    for (const [at, { job, trial }] of all.entries()) {
      bar.show(at, all.length);
      const root = roots[job.root];
      const isFolder = root !== undefined && trial.folder !== "" && trial.ledger === null;
      const path = isFolder ? resolveFolder(root.path, trial.folder) : null;
      if (path === null) continue;
      const { results, traceFiles } = await scanTrialFolder(path, listStepNames(trial), set.scanners);
      nScanned++;
      if (traceFiles.length > 0) nWithSteps++;
      for (const result of results) {
        const scanner = set.scanners.find(({ id }) => id === result.scanner);
        if (scanner !== undefined) hits.push({ job, trial, scanner, result });
      }
    }
  } finally {
    bar.clear();
  }
  return { hits, nTrials: all.length, nScanned, nWithSteps };
}

function hasAny(hits: readonly Hit[], severity: ScannerSeverity): boolean {
  const rank = SCANNER_SEVERITIES.indexOf(severity);
  return hits.some(({ scanner }) => SCANNER_SEVERITIES.indexOf(scanner.severity) <= rank);
}

const MATCH_CHARS = 60;
const COLUMNS: readonly Column<Hit>[] = [
  ["severity", ({ scanner }) => scanner.severity],
  ["scanner", ({ scanner }) => scanner.id],
  ["job", ({ job }) => job.key],
  ["trial", ({ trial }) => trial.trialName],
  ["outcome", ({ trial }) => trial.outcome],
  [{ right: "places" }, ({ result }) => String(result.nPlaces)],
  ["first place", ({ result }) => describePlace(result)],
  [
    "match",
    ({ result: { places } }) => `${places[0]?.match ?? ""}${places[0]?.after ?? ""}`.slice(0, MATCH_CHARS),
  ],
];

function describePlace({ places: [place], stopped }: ScanResult): string {
  if (place === undefined) return `stopped: ${stopped ?? ""}`;
  const { step, file, line } = place;
  if (step !== null) return `step ${step}`;
  return line === null ? file : `${file}:${line}`;
}

function sumUp({ scanners }: ScannerSet, { hits, nTrials, nScanned, nWithSteps }: Scan): string {
  const found = hits.filter(({ result }) => result.nPlaces > 0);
  const nStopped = hits.filter(({ result }) => result.stopped !== null).length;
  const parts = [
    `${formatPlural(scanners.length, "scanner")} over ${formatCount(nScanned)} of ${formatPlural(nTrials, "trial")}`,
    `${formatCount(nWithSteps)} with a trajectory`,
    `${formatPlural(found.length, "hit")} in ${formatPlural(new Set(found.map(({ trial }) => trial)).size, "trial")}`,
    ...(nStopped === 0 ? [] : [`${formatCount(nStopped)} stopped`]),
  ];
  return `${hits.length === 0 ? "" : "\n"}${parts.join(", ")}\n`;
}

function prepareJson(folder: string, { scanners, refused }: ScannerSet, scan: Scan) {
  return {
    schema: "assay.scan/1",
    folder,
    n_trials: scan.nTrials,
    n_scanned: scan.nScanned,
    n_with_steps: scan.nWithSteps,
    scanners: scanners.map(prepareScanner),
    refused,
    hits: scan.hits.map(({ job, trial, scanner, result }) => ({
      scanner: scanner.id,
      version: scanner.version,
      severity: scanner.severity,
      job: job.key,
      trial: trial.trialName,
      folder: trial.folder,
      agent: trial.agent,
      outcome: trial.outcome,
      n_places: result.nPlaces,
      places: result.places,
      stopped: result.stopped,
    })),
  };
}

function prepareScanner({ id, version, title, meaning, category, severity, scope, file, isOwn }: Scanner) {
  return { id, version, title, meaning, category, severity, scope, file: isOwn ? file : null };
}

const SCANNER_COLUMNS: readonly Column<Scanner>[] = [
  ["scanner", ({ id }) => id],
  ["version", ({ version }) => String(version)],
  ["severity", ({ severity }) => severity],
  ["category", ({ category }) => category],
  ["scans", ({ scope }) => scope],
  ["from", ({ isOwn, file }) => (isOwn ? file : "Assay")],
  ["meaning", ({ meaning }) => meaning],
];

async function listScanners(
  { scanners, refused }: ScannerSet,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  if (json) {
    const all = scanners.map(prepareScanner);
    await writeJson(terminal.stdout, { schema: "assay.scanners/1", scanners: all, refused });
    return;
  }
  await writeAll(terminal.stdout, [
    formatRows(scanners, SCANNER_COLUMNS),
    ...refused.map(
      ({ file, line, reason }) => makePrintable(`refused: ${file}, line ${line}: ${reason}`) + "\n",
    ),
  ]);
}
