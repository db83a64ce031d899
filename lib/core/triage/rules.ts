import { parse, TomlError } from "smol-toml";
import { z } from "zod";

import { compilePattern, findPatternProblem, PATTERN_MS, runInTime } from "@/lib/core/domain/run-in-time";

import { FAILURE_CLASSES, type FailureClass } from "./classes";
import { type Fact, FACTS, type FailureFacts } from "./facts";
import { keepProof } from "./quoted-command";
import { type Signal, SIGNAL_KINDS, type SignalKind } from "./signals";

interface SignalPattern {
  readonly kind: SignalKind;
  /** Case is ignored, and `^` and `$` match lines. */
  readonly pattern: string;
}

interface Rule {
  readonly id: string;
  readonly failureClass: FailureClass;
  readonly why: string;
  readonly facts: readonly { readonly fact: Fact; readonly holds: boolean }[];
  readonly patterns: readonly SignalPattern[];
  readonly show: readonly SignalKind[];
}

/** In the order they are tried. Plain data, so that it can go to other processes. */
export interface RuleSet {
  /** Differs whenever a class may differ. */
  readonly version: string;
  readonly rules: readonly Rule[];
  readonly nOwn: number;
}

const MAX_RULES = 500;
const PATTERN = z.string().min(1).max(2000).check(checkPattern);
const FACT = z.string().transform((text, context): { fact: Fact; holds: boolean } => {
  const holds = !text.startsWith("!");
  const fact = FACTS.find((one) => one === (holds ? text : text.slice(1)));
  if (fact !== undefined) return { fact, holds };
  context.addIssue({ code: "custom", message: `${JSON.stringify(text)} is not a fact that rules can use` });
  return z.NEVER;
});
const RULE = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/, "must be lower-case letters, digits and hyphens"),
  class: z.enum(FAILURE_CLASSES),
  why: z.string().min(1).max(300),
  facts: z.array(FACT).max(20).default([]),
  match: z
    .array(z.partialRecord(z.enum(SIGNAL_KINDS), PATTERN))
    .max(50)
    .default([]),
  show: z.array(z.enum(SIGNAL_KINDS)).default([]),
});

function checkPattern(context: z.core.ParsePayload<string>): void {
  const problem = findPatternProblem(context.value, FLAGS);
  if (problem === null) return;
  const message = `is not a regular expression: ${problem}`;
  context.issues.push({ code: "custom", message, input: context.value });
}

export interface RulesProblem {
  readonly line: number | null;
  readonly rule: string | null;
  readonly detail: string;
}

type RulesParse =
  | { readonly ok: true; readonly rules: readonly Rule[] }
  | { readonly ok: false; readonly problems: readonly RulesProblem[] };

/** Rejects the whole text on one mistake: later rules would claim the trials of a missing one. */
export function parseRules(text: string): RulesParse {
  let table: Record<string, unknown>;
  try {
    table = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [detail = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n", 1);
    return { ok: false, problems: [{ line: error.line, rule: null, detail }] };
  }
  const { rule: list = [], ...rest } = table;
  const problems: RulesProblem[] = Object.keys(rest).map((name) => ({
    line: null,
    rule: null,
    detail: `${JSON.stringify(name)} is not allowed here: a rules file has only [[rule]] entries`,
  }));
  if (!Array.isArray(list) || list.length > MAX_RULES) {
    const detail = `"rule" must be a list of at most ${MAX_RULES} entries, each written [[rule]]`;
    return { ok: false, problems: [...problems, { line: null, rule: null, detail }] };
  }
  const lines = findRuleLines(text);
  const rules: Rule[] = [];
  const ids = new Set<string>();
  for (const [at, value] of list.entries()) {
    const place = { line: lines[at] ?? null, rule: nameRule(value, at) };
    const read = RULE.safeParse(value);
    if (!read.success) {
      for (const { path, message } of read.error.issues)
        problems.push({ ...place, detail: path.length === 0 ? message : `${path.join(".")}: ${message}` });
      continue;
    }
    const { id, class: failureClass, match, ...own } = read.data;
    if (ids.has(id)) problems.push({ ...place, detail: "another rule has this id" });
    ids.add(id);
    rules.push({ id, failureClass, patterns: match.flatMap(listPatterns), ...own });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, rules };
}

function listPatterns(match: Partial<Record<SignalKind, string>>): SignalPattern[] {
  return SIGNAL_KINDS.flatMap((kind) => {
    const pattern = match[kind];
    return pattern === undefined ? [] : { kind, pattern };
  });
}

function nameRule(value: unknown, at: number): string {
  const { id } = z.object({ id: z.string() }).catch({ id: "" }).parse(value);
  return id === "" ? `rule ${at + 1}` : id;
}

function findRuleLines(text: string): readonly number[] {
  return text.split("\n").flatMap((line, at) => (/^\s*\[\[\s*rule\s*\]\]/.test(line) ? at + 1 : []));
}

export interface FailureVerdict {
  readonly failureClass: FailureClass;
  readonly rule: string | null;
  readonly version: string;
  readonly why: string | null;
  /** Rule that timed out, so that neither it nor a later one claims the trial. */
  readonly stopped: string | null;
  /** At most {@link MAX_EVIDENCE}: matches first, statements of an analysis or grader last. */
  readonly evidence: readonly Signal[];
}

const MAX_EVIDENCE = 8;
const MAX_SHOWN = 3;
/** Statements of an analysis or grader are shown for any rule: they claim what files alone do not show. */
const MAX_JUDGED = 2;
const FLAGS = "im";

function searchable({ kind, text }: Signal): string {
  return kind === "exception" ? keepProof(text) : text;
}

/** Milliseconds for all rules on some trials, before the user's run alone on one. 50 trials took 2, and one 8 at most. */
const TOGETHER_MS = 20;
/** For slow runs of one rule on all trials of a {@link Classifier}, so that it delays at most ten. */
const SLOW_MS = 10 * PATTERN_MS;

interface CompiledRule extends Rule {
  readonly compiled: readonly { readonly kind: SignalKind; readonly regex: RegExp }[];
  msLeft: number;
}

/** The first matching rule, or an earlier one that timed out, with no matches. */
interface Fit {
  readonly rule: Rule;
  readonly matched: readonly Signal[] | null;
}

export class Classifier {
  private readonly version: string;
  private readonly nOwn: number;
  private readonly rules: readonly CompiledRule[];

  constructor({ version, rules, nOwn }: RuleSet) {
    this.version = version;
    this.nOwn = nOwn;
    this.rules = rules.map((rule) => ({
      ...rule,
      compiled: rule.patterns.map(({ kind, pattern }) => ({ kind, regex: compilePattern(pattern, FLAGS) })),
      msLeft: SLOW_MS,
    }));
  }

  classifyAll(trials: readonly FailureFacts[]): readonly FailureVerdict[] {
    return this.runTogether(() => trials.map((trial) => this.classify(trial)));
  }

  classify(trial: FailureFacts): FailureVerdict {
    const { version } = this;
    const { signals } = trial;
    const judged = signals.filter(({ kind }) => kind === "judge").slice(0, MAX_JUDGED);
    const { fit } = this.runTogether(() => ({ fit: this.findFit(trial) }));
    if (fit === null || fit.matched === null) {
      const stopped = fit?.rule.id ?? null;
      const why = stopped === null ? null : `Rule "${stopped}" took too long, so no rule claims this trial.`;
      const evidence = [...new Set([...signals.slice(0, MAX_SHOWN), ...judged])];
      return { failureClass: "unexplained", rule: null, version, why, stopped, evidence };
    }
    const { rule, matched } = fit;
    const shown = rule.show.flatMap((kind) =>
      signals.filter((signal) => signal.kind === kind).slice(0, MAX_SHOWN),
    );
    const own = [...new Set([...matched.slice(0, MAX_SHOWN), ...shown])];
    const evidence = [...new Set([...own.slice(0, MAX_EVIDENCE - judged.length), ...judged])];
    return {
      failureClass: rule.failureClass,
      rule: rule.id,
      version,
      why: rule.why,
      stopped: null,
      evidence,
    };
  }

  private runTogether<Result extends object>(work: () => Result): Result {
    return (this.nOwn > 0 ? runInTime(work, TOGETHER_MS) : null) ?? work();
  }

  private findFit({ facts, signals }: FailureFacts): Fit | null {
    for (const [at, rule] of this.rules.entries()) {
      if (rule.facts.some(({ fact, holds }) => facts.has(fact) !== holds)) continue;
      const matched = at < this.nOwn ? matchInTime(rule, signals) : match(rule, signals);
      if (matched === null || matched.length > 0 || rule.compiled.length === 0) return { rule, matched };
    }
    return null;
  }
}

function match({ compiled }: CompiledRule, signals: readonly Signal[]): readonly Signal[] {
  return compiled.flatMap(({ kind, regex }) =>
    signals.filter((signal) => signal.kind === kind && regex.test(searchable(signal))),
  );
}

function matchInTime(rule: CompiledRule, signals: readonly Signal[]): readonly Signal[] | null {
  const start = performance.now();
  const matched = runInTime(() => match(rule, signals), Math.min(PATTERN_MS, rule.msLeft));
  const ms = performance.now() - start;
  if (matched === null || ms > TOGETHER_MS) rule.msLeft -= ms;
  return matched;
}
