import { join } from "node:path";

import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import type { Trial } from "@/lib/core/domain/trial";
import type { Exclusion } from "@/lib/core/stats";
import { CLASSES } from "@/lib/core/triage/classes";
import { hasFailed, hasPassedInSpite } from "@/lib/core/triage/classified";
import type { FailureFacts } from "@/lib/core/triage/facts";
import { Classifier, type FailureVerdict, type RuleSet } from "@/lib/core/triage/rules";
import type { EndedTrial } from "@/lib/core/triage/troubles";
import { type LoadRoot, readFailureSignals } from "@/lib/read/loader";
import { resolveDataFolder } from "@/lib/store/database";
import { FailureRules, RULES_FILE } from "@/lib/store/indexer/derived-details-run";

import { withData } from "./open-folders";
import { type Terminal, makeProgressBar, warn } from "./terminal";

type Failure = NonNullable<EndedTrial["failure"]>;

/**
 * Returns the rules in force.
 *
 * @param data - folder of the user's own rules; the usual one by default
 * @param onProblem - gets problems of the user's rules, by default on stderr; only the built-in rules apply then
 */
export function readRules(
  terminal: Pick<Terminal, "env" | "stderr">,
  data: string | undefined,
  onProblem = (problem: string) => warn(terminal, problem),
): RuleSet {
  const rules = new FailureRules(join(resolveDataFolder(withData(terminal.env, data)), RULES_FILE));
  const [problem] = rules.read();
  if (problem !== undefined) onProblem(`${problem.path}: ${problem.detail}`);
  return rules.set;
}

/** Names each rule that takes too long once on stderr. */
export function makeClassifier(
  rules: RuleSet,
  terminal: Pick<Terminal, "stderr">,
): (trial: FailureFacts) => FailureVerdict {
  const classifier = new Classifier(rules);
  const named = new Set<string>();
  return (trial) => {
    const verdict = classifier.classify(trial);
    const { stopped } = verdict;
    if (stopped !== null && !named.has(stopped))
      warn(
        terminal,
        `Rule "${stopped}" of ${RULES_FILE} takes too long, so trials stay unexplained. Simplify its patterns.`,
      );
    if (stopped !== null) named.add(stopped);
    return verdict;
  };
}

/** Classifies trials by the same rules as the pages. Reads each trial once, since an ended trial does not change. */
export class KnownFailures {
  private readonly known = new Map<string, Failure>();
  private readonly classifyFacts: ReturnType<typeof makeClassifier>;

  constructor(rules: RuleSet, terminal: Pick<Terminal, "stderr">) {
    this.classifyFacts = makeClassifier(rules, terminal);
  }

  async find(root: LoadRoot, trial: Trial): Promise<Failure | null> {
    return hasFailed(trial) ? this.classify(root, trial) : null;
  }

  async classify(root: LoadRoot, trial: Trial): Promise<Failure> {
    const name = `${root.index}\n${trial.folder}\n${trial.key}\n${trial.resultDigest ?? ""}`;
    const before = this.known.get(name);
    if (before !== undefined) return before;
    const { failureClass, evidence } = this.classifyFacts(await readFailureSignals(root, trial));
    const failure = { failureClass, text: evidence[0]?.text ?? null };
    this.known.set(name, failure);
    return failure;
  }
}

export type Exclusions = ReadonlyMap<Trial, Exclusion>;

/**
 * Returns why finished trials are excluded from readings of their score. Shows a progress bar if stderr is a terminal.
 *
 * @param rules - see {@link readRules}
 */
export async function findExclusions(
  { jobs, roots }: CatalogSnapshot,
  terminal: Pick<Terminal, "stderr">,
  rules: RuleSet,
): Promise<Exclusions> {
  const failures = new KnownFailures(rules, terminal);
  const asked = jobs.flatMap(({ job, trials }) => {
    const root = roots[job.root];
    const own = trials.filter(
      (trial) => trial.state === "finished" && (hasFailed(trial) || hasPassedInSpite(trial)),
    );
    return root === undefined ? [] : own.map((trial) => ({ root: { ...root, index: job.root }, trial }));
  });
  const found = new Map<Trial, Exclusion>();
  const bar = makeProgressBar(terminal.stderr);
  try {
    for (const [at, { root, trial }] of asked.entries()) {
      const { failureClass } = await failures.classify(root, trial);
      const { excludedAs } = CLASSES[failureClass];
      if (excludedAs !== undefined) found.set(trial, excludedAs);
      bar.show(at + 1, asked.length);
    }
  } finally {
    bar.clear();
  }
  return found;
}
