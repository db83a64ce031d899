import type { Files, Grower } from "./hostile-grower";
import { TRIALS } from "./hostile-results";

const EXPERIMENT = "experiment-001";
const VALID = { output_parseable: true, schema_valid: true, verifier_completed: true };

/** Ledgers of aec-bench by experiment name, each with its files by path. */
export const HOSTILE_LEDGERS: Readonly<Record<string, (grow: Grower) => Files>> = {
  record: (grow) => ({
    [`ledger-record/${TRIALS[0]}.json`]: prepareRecord(TRIALS[0], {
      dataset_id: grow.text(),
      task: { task_id: grow.text(), task_revision: grow.text() },
      agent: { adapter: grow.text(), model: grow.text(), configuration: { [grow.text()]: grow.text() } },
      evaluation: {
        reward: 0.5,
        validity: { ...VALID, errors: [grow.text(), ...grow.list(() => grow.word())] },
        breakdown: {
          [grow.text()]: { score: 1, max_score: 1, evidence: grow.text() },
          ...grow.object(() => ({ score: 0.5, max_score: 1, evidence: grow.word() })),
        },
        error_taxonomy: grow.list((n) => ({ category: `tag ${n}`, description: grow.word(), source: "m" })),
      },
    }),
  }),
  records: (grow) =>
    Object.fromEntries(
      [TRIALS[0], ...grow.list((n) => `r${n}`)].map((id) => [
        `ledger-records/${id}.json`,
        prepareRecord(id, {}),
      ]),
    ),
  adjudications: (grow) => ({
    [`ledger-adjudications/${TRIALS[0]}.json`]: prepareRecord(TRIALS[0], {}),
    [`ledger-adjudications/_annotations/${TRIALS[0]}.json`]: { verdict: "fail", notes: grow.text() },
    ...Object.fromEntries<unknown>(
      ["first", ...grow.list((n) => `d${n}`)].flatMap((id, n) => {
        const word = () => (n === 0 ? grow.text() : grow.word());
        const common = { trial_id: TRIALS[0], experiment_id: EXPERIMENT, created_at: "2026-05-01T10:00:00Z" };
        const categories = n === 0 ? [grow.text(), ...grow.list((at) => `c${at}`)] : [grow.word()];
        const decision = { ...common, decision_id: id, status: "adjudicated", final_judgment: "fail" };
        const annotation = {
          ...common,
          annotation_id: id,
          task_id: "t",
          task_visibility: "public",
          reviewer_id: word(),
          reviewer_discipline: word(),
          judgment: "fail",
          categories,
          notes: word(),
          is_calibration: false,
          calibration_version: null,
        };
        return [
          [
            `feedback/adjudications/${TRIALS[0]}/${id}.json`,
            { ...decision, categories, decided_by: word(), rationale: word() },
          ],
          [`feedback/annotations/${TRIALS[0]}/${id}.json`, annotation],
        ];
      }),
    ),
  }),
};

/** A ledger's record of version 1; `over` replaces fields. */
function prepareRecord(id: string, over: object): object {
  return {
    trial_id: id,
    experiment_id: EXPERIMENT,
    dataset_id: "d",
    timestamp: "2026-05-01T10:00:00Z",
    task: { task_id: "t", task_revision: "r" },
    agent: { adapter: "a", model: "m" },
    outputs: { agent_output: { status: "completed" } },
    evaluation: { reward: 1, validity: { ...VALID, errors: [] } },
    timing: { total_seconds: 1 },
    cost: {},
    ...over,
  };
}
