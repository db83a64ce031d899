import { hash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { parse, TomlError } from "smol-toml";
import { z } from "zod";

import { compilePattern, findPatternProblem, runInTime, PATTERN_MS } from "@/lib/core/domain/run-in-time";
import { SCANNER_FOLDER, SCANNER_SEVERITIES } from "@/lib/core/domain/scanner";
import { STEP_SOURCES } from "@/lib/core/domain/trajectory";

import { BUNDLED_SCANNERS } from "./bundled";
import { TOGETHER_MS, TimedScan, isFoundByPath, scanEvents, scanText, selectPaths } from "./scan-trial";
import {
  type Conditions,
  type Example,
  FILE_FIELDS,
  type FileField,
  type Scanner,
  STEP_FIELDS,
  type StepField,
} from "./scanner";

export interface ScannerSource {
  readonly file: string;
  readonly text: string;
  readonly isOwn: boolean;
}

export interface RefusedScanner {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

/** `^` and `$` match at line ends. */
const FLAGS = "m";
const LINE = z.string().trim().min(1).max(120);
const PATTERN = z
  .string()
  .min(1)
  .max(2_000)
  .check((context) => {
    const problem = findPatternProblem(context.value, FLAGS);
    if (problem === null) return;
    const message = `is not a regular expression: ${problem}`;
    context.issues.push({ code: "custom", message, input: context.value });
  });

const COMMON = {
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be lower-case letters, digits and hyphens"),
  version: z.int().min(1).max(1_000_000),
  title: LINE,
  meaning: z.string().trim().min(1).max(600),
  category: LINE,
  severity: z.enum(SCANNER_SEVERITIES),
};

const STEP_PATTERNS = z.strictObject({
  tool: PATTERN.optional(),
  files: PATTERN.optional(),
  reasoning: PATTERN.optional(),
  message: PATTERN.optional(),
  arguments: PATTERN.optional(),
  output: PATTERN.optional(),
});
const STEP_EXAMPLE = z.strictObject({
  role: z.enum(STEP_SOURCES).default("agent"),
  tool: z.string().default(""),
  files: z.array(z.string()).default([]),
  reasoning: z.string().default(""),
  message: z.string().default(""),
  arguments: z.string().default(""),
  output: z.string().default(""),
});
const STEPS_EXAMPLE = z.union([z.strictObject({ steps: z.array(STEP_EXAMPLE).min(1) }), STEP_EXAMPLE]);

const STEP_FILE = z.strictObject({
  ...COMMON,
  scope: z.literal("steps"),
  at_end: z.boolean().default(false),
  repeats: z.int().min(1).max(1_000).default(1),
  when: z
    .array(STEP_PATTERNS.extend({ role: z.enum(STEP_SOURCES).optional(), not: STEP_PATTERNS.optional() }))
    .min(1),
  matches: z.array(STEPS_EXAMPLE).min(1),
  misses: z.array(STEPS_EXAMPLE).min(1),
});

const FILE_PATTERNS = z.strictObject({ path: PATTERN.optional(), text: PATTERN.optional() });
const FILE_EXAMPLE = z.strictObject({ path: z.string(), text: z.string().default("") });
const FILES_FILE = z.strictObject({
  ...COMMON,
  scope: z.literal("files"),
  // Without a path, every file of every trial would be read.
  when: z.array(FILE_PATTERNS.extend({ path: PATTERN, not: FILE_PATTERNS.optional() })).min(1),
  matches: z.array(FILE_EXAMPLE).min(1),
  misses: z.array(FILE_EXAMPLE).min(1),
});

const FILE = z.discriminatedUnion("scope", [STEP_FILE, FILES_FILE]);
type ParsedFile = z.infer<typeof FILE>;

export function parseScanner(source: ScannerSource): Scanner | RefusedScanner {
  const { file, text, isOwn } = source;
  const refuse = (line: number, reason: string): RefusedScanner => ({ file, line, reason });
  if (text.trim() === "") return refuse(1, "The file is empty, cannot be read, or is longer than 64 KiB.");
  let plain: unknown;
  try {
    plain = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return refuse(error.line, `This is not TOML: ${error.message.split("\n")[0] ?? ""}.`);
  }
  const parsed = FILE.safeParse(plain);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path ?? [];
    return refuse(findLine(text, path), `${describePath(path)}: ${issue?.message ?? "is not valid"}.`);
  }
  const { data } = parsed;
  const fingerprint = hash("sha256", text, "hex").slice(0, 8);
  const scanner: Scanner = { ...prepareScanner(data), fingerprint, file, isOwn };
  const tryExamples = () => ({ failed: findFailedExample(scanner, data) });
  const { failed } = runInTime(tryExamples, TOGETHER_MS) ?? tryExamples();
  return failed === null ? scanner : refuse(findLine(text, failed.path), failed.reason);
}

function findFailedExample(scanner: Scanner, data: ParsedFile) {
  for (const kind of ["matches", "misses"] as const) {
    for (const [at, example] of listExamples(data, kind).entries()) {
      const answer = scanExample(scanner, example);
      if (answer === kind) continue;
      const found = kind === "matches" ? "is not found" : "is found";
      const path = [kind, at];
      const wrong = answer === "stopped" ? "takes too long" : found;
      return { path, reason: `The example ${describePath(path)} ${wrong}.` };
    }
  }
  return null;
}

export function isRefused(scanner: Scanner | RefusedScanner): scanner is RefusedScanner {
  return "reason" in scanner;
}

function prepareScanner(data: ParsedFile) {
  const { id, version, title, meaning, category, severity } = data;
  const info = { id, version, title, meaning, category, severity };
  if (data.scope === "files")
    return {
      ...info,
      scope: data.scope,
      when: data.when.map((one) => prepareConditions<FileField>(FILE_FIELDS, one, one.not)),
    };
  return {
    ...info,
    scope: data.scope,
    isAtEnd: data.at_end,
    repeats: data.repeats,
    when: data.when.map((one) => ({
      role: one.role ?? null,
      ...prepareConditions<StepField>(STEP_FIELDS, one, one.not),
    })),
  };
}

function prepareConditions<Field extends string>(
  fields: readonly Field[],
  has: { readonly [Name in Field]?: string | undefined },
  not: { readonly [Name in Field]?: string | undefined } = {},
): Conditions<Field> {
  const list = (from: typeof not) =>
    fields.flatMap((field) => {
      const pattern = from[field];
      return pattern === undefined ? [] : [[field, compilePattern(pattern, FLAGS)] as const];
    });
  return { has: list(has), not: list(not) };
}

function listExamples(data: ParsedFile, kind: "matches" | "misses"): readonly Example[] {
  if (data.scope === "files") return data[kind].map((file) => ({ events: [], file }));
  return data[kind].map((example) => ({
    file: null,
    events: ("steps" in example ? example.steps : [example]).map((step, at) => ({
      ...step,
      step: String(at + 1),
      file: "",
      lane: "main",
      files: step.files.join("\n"),
    })),
  }));
}

function describePath(path: readonly PropertyKey[]): string {
  return path.map((part) => (typeof part === "number" ? String(part + 1) : String(part))).join(" ");
}

function findLine(text: string, path: readonly PropertyKey[]): number {
  const lines = text.split("\n");
  let line = 0;
  for (const [at, part] of path.entries()) {
    if (typeof part === "number") continue;
    const nth = typeof path[at + 1] === "number" ? Number(path[at + 1]) : 0;
    const name = String(part).replaceAll(/[^a-z_]/g, "");
    const header = new RegExp(`^\\s*(?:\\[\\[?\\s*|\\w+\\.)?${name}\\b`);
    const found = lines.flatMap((one, index) => (index >= line && header.test(one) ? [index] : []))[nth];
    if (found === undefined) break;
    line = found;
  }
  return line + 1;
}

function scanExample(scanner: Scanner, { events, file }: Example): "matches" | "misses" | "stopped" {
  const scan = new TimedScan(PATTERN_MS);
  const isFound =
    scanner.scope === "steps"
      ? hasAny(scanEvents(scanner, events, scan))
      : file !== null && isFileFound(scanner, file, scan);
  if (isFound === null) return "stopped";
  return isFound ? "matches" : "misses";
}

function isFileFound(
  scanner: Extract<Scanner, { scope: "files" }>,
  { path, text }: NonNullable<Example["file"]>,
  scan: TimedScan,
): boolean | null {
  const chosen = selectPaths(scanner, [path], scan);
  const conditions = chosen?.get(path);
  if (conditions === undefined) return chosen === null ? null : false;
  return isFoundByPath(conditions) || hasAny(scanText(conditions, { path, text, firstLine: 1 }, scan));
}

function hasAny(places: readonly unknown[] | null): boolean | null {
  return places && places.length > 0;
}

export interface ScannerSet {
  /** User-defined first, each group by id. */
  readonly scanners: readonly Scanner[];
  readonly refused: readonly RefusedScanner[];
  readonly fingerprint: string;
}

const MOST_FILES = 200;
const MOST_BYTES = 64 << 10;

/** Reads `scanners/*.toml`. An unreadable or overlong file is an empty text, which is then rejected. */
export function readOwnScanners(dataFolder: string): readonly ScannerSource[] {
  const folder = join(dataFolder, SCANNER_FOLDER);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".toml"));
  return names
    .sort()
    .slice(0, MOST_FILES)
    .map((file) => ({ file, text: readScannerFile(join(folder, file)), isOwn: true }));
}

export function readScannerFile(path: string): string {
  try {
    return statSync(path).size > MOST_BYTES ? "" : readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

let bundled: readonly (Scanner | RefusedScanner)[] | null = null;

/** User-defined scanners override bundled ones with the same id. */
export function prepareScannerSet(own: readonly ScannerSource[]): ScannerSet {
  const scanners = new Map<string, Scanner>();
  const refused: RefusedScanner[] = [];
  bundled ??= BUNDLED_SCANNERS.map(parseScanner);
  for (const parsed of [...own.map(parseScanner), ...bundled]) {
    if (isRefused(parsed)) refused.push(parsed);
    else if (!scanners.has(parsed.id)) scanners.set(parsed.id, parsed);
    else if (parsed.isOwn)
      refused.push({ file: parsed.file, line: 1, reason: `Another file also has the id ${parsed.id}.` });
  }
  return { scanners: [...scanners.values()], refused, fingerprint: fingerprintScanners(own) };
}

export function fingerprintScanners(own: readonly ScannerSource[]): string {
  const texts = [...own, ...BUNDLED_SCANNERS].map(({ file, text }) => JSON.stringify([file, text]));
  return hash("sha256", texts.join(""), "hex").slice(0, 12);
}
