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
} from "@/lib/people/annotations";
import { resolveFolder } from "@/lib/read/loader/detail";
import { readEvaluation, readEvaluations, type TrialToEvaluate } from "@/lib/read/trial-reading/evaluation";

import { defineCommand, flag, parseChoice, parseOnlyOperand, option, parseSummation } from "./command";
import { openFolders, withAnnotations } from "./open-folders";
import { checkOutput, writeFileAtOnce } from "./output-file";
import { writeAll } from "./terminal";

export const evaluations = defineCommand({
  listed: { "evaluations DIR": "Write each trial's EvaluationResult" },
  usage: ["assay evaluations DIR [OPTIONS]"],
  about: `Writes the EvaluationResult of every trial in or below DIR (assay.evaluation/2): reward, validity, breakdown, error tags,
confidence and annotations by the evaluation contract, with the source of each, the parts that no file states, and why a
trial has no result. The contract cannot express an unknown validity gate: \`evaluation\` is then null, and
\`partial_evaluation\` has the rest with null at that gate. Counts go to stderr.`,
  options: {
    format: option("FORMAT", "jsonl (default, one line per trial) or json (one list)."),
    contract: option(
      "NAME",
      "seed (default) or head, which also rejects a reward above 0 for an output of the wrong shape.",
    ),
    output: option("FILE", "Write to FILE instead, outside DIR."),
    data: option("DIR", "Folder of the annotations (default $ASSAY_DATA, else the user's data folder)."),
    strict: flag("Exit with 1 if the contract rejects a trial's result."),
  },
  examples: ["assay evaluations jobs --output evaluations.jsonl"],
  async run({ values, positionals }, terminal) {
    const folder = parseOnlyOperand(positionals, "folder");
    const format = parseChoice(values.format ?? "jsonl", ["jsonl", "json"], "format");
    const contract = parseChoice(values.contract ?? "seed", ["seed", "head"], "contract");
    const { output } = values;
    if (output !== undefined) checkOutput(output, folder);
    const counts = { nTrials: 0, nEvaluated: 0, nPartial: 0, nRefused: 0 };
    await withAnnotations(terminal, values.data, async (store) => {
      const snapshot = openFolders(terminal, [folder], parseSummation(undefined, terminal.env));
      const read = (trial: PlacedTrial) => readEvaluation(trial, contract);
      const evaluated = countAll(readEvaluations(listTrials(snapshot, store), read), counts);
      const pieces = format === "jsonl" ? writeLines(evaluated) : writeList(evaluated);
      if (output === undefined) await writeAll(terminal.stdout, pieces);
      else await writeFileAtOnce(output, pieces);
    });
    terminal.stderr.write(`${describeCounts(counts)}\n`);
    return values.strict && counts.nRefused > 0 ? 1 : 0;
  },
});

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
  return `${formatPlural(nTrials, "trial")}: ${nEvaluated} evaluated, ${nPartial} in part (a validity gate is unknown), ${nRefused} rejected by the contract, ${nWithout} without a result`;
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
