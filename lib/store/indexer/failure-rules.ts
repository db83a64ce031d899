import { readFileSync, statSync } from "node:fs";

import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { makeRuleSet } from "@/lib/core/triage/rule-set";
import type { RuleSet, RulesProblem } from "@/lib/core/triage/rules";

export const RULES_FILE = "rules.toml";

const MAX_BYTES = 1 << 20;
/** Reported mistakes; a single one disables the user's rules. */
const MAX_PROBLEMS = 20;

/** The rules in force: the user's own before the built-in ones. */
export class FailureRules {
  private readonly file: string | null;
  private text: string | null = null;
  private reading = makeRuleSet(null);

  /** @param file - absolute path of the user's rules; null if there can be none */
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
