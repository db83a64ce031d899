import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { PyValue } from "@/lib/core/scoring";
import type { LenientParse } from "@/lib/read/schema/lenient-parse";

import { parseLooseJson } from "./detail/parse-loose-json";
import { joinFolder, type LoadRoot, prepareIssue } from "./discover/load-root";
import { type FileLimits, FILE_LIMITS, type FileReading, type ReadFile } from "./file-access";
import { stampForDenied, stampStat, statFolder, statGuarded } from "./file-stamp";
import { readDocument, readText } from "./read-document";

/** Prefix of probes without read permission, where owner and permission changes count too. */
const DENIED = "~";

export function stampTrial(root: LoadRoot, folder: string, probes: readonly string[]): string {
  const stamps = probes.map((probe) => {
    const isDenied = probe.startsWith(DENIED);
    const stat = statGuarded(root, joinFolder(folder, isDenied ? probe.slice(DENIED.length) : probe));
    return isDenied ? stampForDenied(stat) : stampStat(stat);
  });
  return stamps.join("|");
}

export class FolderReader {
  readonly root: LoadRoot;
  readonly folder: string;
  readonly issues: LoadIssue[] = [];
  private readonly stamped = new Map<string, string>();

  constructor(root: LoadRoot, folder: string) {
    this.root = root;
    this.folder = folder;
  }

  get probes(): { readonly probes: readonly string[]; readonly stamp: string } {
    return { probes: [...this.stamped.keys()], stamp: [...this.stamped.values()].join("|") };
  }

  locate(name: string): string {
    return joinFolder(this.folder, name);
  }

  report(code: LoadIssue["code"], name: string, detail: string): void {
    this.issues.push(prepareIssue(this.root, code, this.locate(name), detail));
  }

  take<T>(name: string, { value, problems }: LenientParse<T>): T | null {
    for (const { field, detail } of problems)
      this.report("field_invalid", name, field === "" ? detail : `${field}: ${detail}`);
    return value;
  }

  probe(name: string, { stamp, isDenied = false }: { stamp: string; isDenied?: boolean }): void {
    const probe = isDenied ? DENIED + name : name;
    if (!this.stamped.has(probe)) this.stamped.set(probe, stamp);
  }

  mayEnter(name: string): boolean {
    const { stamp, issue, canEnter } = statFolder(this.root, this.locate(name));
    if (stamp !== null) this.probe(name, { stamp });
    if (issue !== null && !this.issues.some(({ path }) => path === issue.path)) this.issues.push(issue);
    return canEnter;
  }

  accept<Content>(name: string, reading: FileReading<Content>): (ReadFile & Content) | null {
    this.probe(name, reading);
    if (reading.kind === "refused") this.issues.push(reading.issue);
    return reading.kind === "read" ? reading : null;
  }

  /** Parses JSON as Python does; null if absent or refused. */
  readDocument(name: string, limits: FileLimits): PyValue | null {
    return this.accept(name, readDocument(this.root, this.locate(name), limits))?.value ?? null;
  }

  readFields<T>(name: string, limits: FileLimits, parse: (value: PyValue) => LenientParse<T>): T | null {
    const document = this.accept(name, readDocument(this.root, this.locate(name), limits));
    return document === null ? null : this.take(name, parse(document.value));
  }

  /** Parses JSON with `NaN` and infinities as strings; undefined if absent or refused. */
  readLoose(name: string): unknown {
    return this.readLooseBytes(name)?.value;
  }

  readLooseBytes(name: string): { readonly value: unknown; readonly bytes: Buffer } | null {
    const reading = this.accept(name, readText(this.root, this.locate(name), FILE_LIMITS.trial));
    if (reading === null) return null;
    const parsed = parseLooseJson(reading.text, name);
    if (parsed.ok) return { value: parsed.value, bytes: reading.bytes };
    this.report(parsed.issue.code, name, parsed.issue.detail);
    return null;
  }

  readLooseFields<T>(name: string, parse: (value: unknown) => LenientParse<T>): T | null {
    const value = this.readLoose(name);
    return value === undefined ? null : this.take(name, parse(value));
  }
}
