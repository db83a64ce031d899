import type { LoadIssue } from "@/lib/domain/load-issue";
import type { LenientParse } from "@/lib/schema/lenient-parse";
import type { PyValue } from "@/lib/scoring";

import { parseLooseJson } from "./detail/parse-loose-json";
import { joinFolder, type LoadRoot, prepareIssue } from "./discover/load-root";
import { type FileLimits, FILE_LIMITS, type FileReading, type ReadFile } from "./file-access";
import { stampFile, stampGuarded, statFolder } from "./file-stamp";
import { readDocument, readText } from "./read-document";

/** In front of a probe: the file was there and may not be opened, so a change of rights or owner counts too. */
const GUARDED = "~";

/** Returns the stamp of a folder's `probes` now, at one lstat a probe; another one means that it must be read again. */
export function stampTrial(root: LoadRoot, folder: string, probes: readonly string[]): string {
  return probes
    .map((probe) =>
      probe.startsWith(GUARDED)
        ? stampGuarded(root, joinFolder(folder, probe.slice(GUARDED.length)))
        : stampFile(root, joinFolder(folder, probe)),
    )
    .join("|");
}

/** Reads files of one folder, and gathers what is wrong with them and what was stamped. Names are relative to the folder. */
export class FolderReader {
  readonly root: LoadRoot;
  readonly folder: string;
  readonly issues: LoadIssue[] = [];
  private readonly stamped = new Map<string, string>();

  /** @param folder - relative to the root; empty for the root itself */
  constructor(root: LoadRoot, folder: string) {
    this.root = root;
    this.folder = folder;
  }

  /** What was stamped, in the notation of {@link stampTrial}, and its stamp from before it was opened. */
  get probes(): { readonly probes: readonly string[]; readonly stamp: string } {
    return { probes: [...this.stamped.keys()], stamp: [...this.stamped.values()].join("|") };
  }

  locate(name: string): string {
    return joinFolder(this.folder, name);
  }

  report(code: LoadIssue["code"], name: string, detail: string): void {
    this.issues.push(prepareIssue(this.root, code, this.locate(name), detail));
  }

  /** What a schema could take of a file; the fields that it refuses are reported. */
  take<T>(name: string, { value, problems }: LenientParse<T>): T | null {
    for (const { field, detail } of problems)
      this.report("field_invalid", name, field === "" ? detail : `${field}: ${detail}`);
    return value;
  }

  /** Remembers the stamp of a file that was stamped. */
  probe(name: string, { stamp, isDenied = false }: { stamp: string; isDenied?: boolean }): void {
    const probe = isDenied ? GUARDED + name : name;
    if (!this.stamped.has(probe)) this.stamped.set(probe, stamp);
  }

  /** Whether files of a folder may be read; a link that leads out is reported once. */
  mayEnter(name: string): boolean {
    const { stamp, issue, canEnter } = statFolder(this.root, this.locate(name));
    if (stamp !== null) this.probe(name, { stamp });
    if (issue !== null && !this.issues.some(({ path }) => path === issue.path)) this.issues.push(issue);
    return canEnter;
  }

  /** The content of a reading; null when the file is absent, or refused, which is reported. */
  accept<Content>(name: string, reading: FileReading<Content>): (ReadFile & Content) | null {
    this.probe(name, reading);
    if (reading.kind === "refused") this.issues.push(reading.issue);
    return reading.kind === "read" ? reading : null;
  }

  /** A JSON file as Python reads it; null when it is absent or refused. */
  readDocument(name: string, limits: FileLimits): PyValue | null {
    return this.accept(name, readDocument(this.root, this.locate(name), limits))?.value ?? null;
  }

  /** What a schema takes of a JSON file as Python reads it; null when the file is absent or refused. */
  readFields<T>(name: string, limits: FileLimits, parse: (value: PyValue) => LenientParse<T>): T | null {
    const document = this.accept(name, readDocument(this.root, this.locate(name), limits));
    return document === null ? null : this.take(name, parse(document.value));
  }

  /** A JSON file in which `NaN` and infinities become text; undefined when it is absent or refused. */
  readLoose(name: string): unknown {
    return this.readLooseBytes(name)?.value;
  }

  /** The same with the bytes of the file; null when it is absent or refused. */
  readLooseBytes(name: string): { readonly value: unknown; readonly bytes: Buffer } | null {
    const reading = this.accept(name, readText(this.root, this.locate(name), FILE_LIMITS.trial));
    if (reading === null) return null;
    const parsed = parseLooseJson(reading.text, name);
    if (parsed.ok) return { value: parsed.value, bytes: reading.bytes };
    this.report(parsed.issue.code, name, parsed.issue.detail);
    return null;
  }

  /** What a schema takes of such a file; null when the file is absent or refused. */
  readLooseFields<T>(name: string, parse: (value: unknown) => LenientParse<T>): T | null {
    const value = this.readLoose(name);
    return value === undefined ? null : this.take(name, parse(value));
  }
}
