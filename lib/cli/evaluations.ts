import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import { formatPlural } from "@/lib/core/format/number";
import { type EvaluatedTrial, type TrialEvaluation, writeEvaluationLine } from "@/lib/core/trial-evaluation";
import {
  type AnnotationStore,
  groupByName,
  listAll,
  listDecisions,
  createDecisionFinder,
  matchJudgments,
  openAnnotationStore,
  resolveAnnotationTarget,
} from "@/lib/people/annotations";
import { resolveFolder } from "@/lib/read/loader/detail";
import { readEvaluation, readEvaluations, type TrialToEvaluate } from "@/lib/read/trial-reading/evaluation";

import { parseChoice, parseCommandLine, parseOnlyOperand } from "./command-line";
import { checkFolder, openFolders, parseSummation, withData } from "./open-folders";
import { type Terminal, writeAll } from "./terminal";
import { checkOutput, writeFileAtOnce } from "./write-file";

/** Runs `assay evaluations`: prints every trial's EvaluationResult by the evaluation contract, with the source of each part. */
export async function runEvaluations(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    format: { type: "string" },
    contract: { type: "string" },
    output: { type: "string" },
    data: { type: "string" },
    strict: { type: "boolean" },
  });
  const folder = parseOnlyOperand(positionals, "folder");
  const format = parseChoice(values.format ?? "jsonl", ["jsonl", "json"], "format");
  const contract = parseChoice(values.contract ?? "seed", ["seed", "head"], "contract");
  const { output, data } = values;
  if (data !== undefined) checkFolder(data);
  if (output !== undefined) checkOutput(output, folder);
  const snapshot = openFolders(terminal, [folder], parseSummation(undefined, terminal.env));
  const store = openAnnotationStore(resolveAnnotationTarget(withData(terminal.env, data)));
  const counts = { nTrials: 0, nEvaluated: 0, nPartial: 0, nRefused: 0 };
  try {
    const read = (trial: PlacedTrial) => readEvaluation(trial, contract);
    const evaluated = countAll(readEvaluations(listTrials(snapshot, store), read), counts);
    const pieces = format === "jsonl" ? writeLines(evaluated) : writeList(evaluated);
    if (output === undefined) await writeAll(terminal.stdout, pieces);
    else await writeFileAtOnce(output, pieces);
  } finally {
    await store.close();
  }
  terminal.stderr.write(`${describeCounts(counts)}\n`);
  return values.strict === true && counts.nRefused > 0 ? 1 : 0;
}

type PlacedTrial = TrialToEvaluate & Pick<EvaluatedTrial, "job" | "root">;

async function* listTrials(
  { roots, jobs }: CatalogSnapshot,
  store: AnnotationStore,
): AsyncGenerator<PlacedTrial> {
  const byName = groupByName(await listAll(store));
  const findDecision = createDecisionFinder(await listDecisions(store));
  for (const { job, trials } of jobs) {
    const root = roots[job.root];
    const judgments = matchJudgments(byName, { job, trials }, findDecision);
    for (const trial of trials) {
      const path = root === undefined || trial.folder === "" ? null : resolveFolder(root.path, trial.folder);
      const judged = judgments.get(trial.key)?.latest ?? [];
      const identity = {
        trialId: trial.id,
        jobUuid: trial.jobUuid ?? job.uuid,
        trialName: trial.trialName,
        jobName: job.name,
      };
      const decision = findDecision(identity);
      yield { job, root: root?.label ?? null, trial, path, judgments: judged, decision };
    }
  }
}

interface Counts {
  nTrials: number;
  nEvaluated: number;
  /** Trials without a stated validity gate. */
  nPartial: number;
  /** Trials with a result that the contract rejects. */
  nRefused: number;
}

async function* countAll(
  evaluated: AsyncIterable<readonly [PlacedTrial, TrialEvaluation]>,
  counts: Counts,
): AsyncGenerator<EvaluatedTrial> {
  for await (const [{ job, root, trial }, result] of evaluated) {
    counts.nTrials += 1;
    if (result.evaluation !== null) counts.nEvaluated += 1;
    else if (result.partial !== null) counts.nPartial += 1;
    else if (isRefused(trial, result)) counts.nRefused += 1;
    yield { job, root, trial, result };
  }
}

/** A ledger record without an evaluation is not a rejection. */
function isRefused(trial: EvaluatedTrial["trial"], result: TrialEvaluation): boolean {
  const isAbsent = result.issues.some(({ code }) => code === "no_evaluation");
  return trial.state === "finished" && !isAbsent;
}

function describeCounts({ nTrials, nEvaluated, nPartial, nRefused }: Counts): string {
  const nWithout = nTrials - nEvaluated - nPartial - nRefused;
  return `${formatPlural(nTrials, "trial")}: ${nEvaluated} evaluated, ${nPartial} in part (a validity gate is unknown), ${nRefused} refused by the contract, ${nWithout} without a result`;
}

async function* writeLines(evaluated: AsyncIterable<EvaluatedTrial>): AsyncGenerator<string> {
  for await (const one of evaluated) yield writeEvaluationLine(one);
}

async function* writeList(evaluated: AsyncIterable<EvaluatedTrial>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const one of evaluated) {
    yield `${before}${writeEvaluationLine(one).trimEnd()}`;
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}
