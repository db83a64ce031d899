import fc from "fast-check";

import { computeReviewerKey, isSameTrial, type TrialIdentity } from "@/lib/core/domain/annotation";

/* Judgments as earlier releases stored, counted and exported them, in a table of their own. */

const trial = (trialName: string, trialId: string | null, jobName: string): TrialIdentity => ({
  trialId,
  jobUuid: `id of ${jobName}`,
  trialName,
  jobName,
});

/** The first two are one trial whose job was renamed. */
export const TRIALS = [
  trial("t1", "id-1", "nightly"),
  trial("t1", "id-1", "moved"),
  trial("t1", "id-2", "nightly"),
  trial("t2", null, "nightly"),
] as const;

interface By {
  readonly trial: TrialIdentity;
  readonly author: string;
  readonly actor: string | null;
}
export type JudgmentOperation = By & {
  readonly what: "judged";
  readonly judgment: "pass" | "fail";
  readonly categories: readonly string[];
  /** Made without a predecessor, even if there is one. */
  readonly isStale: boolean;
};
export type UndoOperation = By & { readonly what: "unjudged" };

export const listJudgmentOperations = (by: {
  readonly [Name in keyof By]: fc.Arbitrary<By[Name]>;
}): readonly fc.Arbitrary<JudgmentOperation | UndoOperation>[] => [
  fc.record<JudgmentOperation>({
    ...by,
    what: fc.constant("judged"),
    judgment: fc.constantFrom("pass", "fail"),
    categories: fc.constantFrom([], ["Wrong output"]),
    isStale: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  }),
  fc.record<UndoOperation>({ ...by, what: fc.constant("unjudged") }),
];

interface Row {
  readonly version_id: string;
  readonly kind: "saved" | "withdrawn";
  readonly withdraws: string | null;
  readonly trial_id: string | null;
  readonly job_id: string | null;
  readonly trial_name: string;
  readonly job_name: string;
  readonly reviewer_key: string;
  readonly reviewer_id: string;
  readonly created_at: string;
  readonly judgment: string | null;
  readonly categories: string;
  readonly notes: string | null;
  readonly codebook_version: number | null;
  readonly browser_key_hash: string | null;
}

/** Columns that are the same for each judgment. */
const REST = {
  root_label: "runs",
  task_name: "task",
  agent: "orca",
  model: null,
  outcome_seen: "failed",
  reward_seen: "0.0",
  reviewer_discipline: null,
  confidence: null,
  evidence: "[]",
  queue_id: null,
  queue_position: null,
  hidden: null,
  fingerprint: null,
  saved_by: null,
  schema_version: 1,
} as const;

const NOTES = 'n "😀"\n\\';

export class EarlierJudgments {
  readonly rows: Row[] = [];

  listRows(): readonly object[] {
    return this.rows.map((row) => ({ ...row, ...REST }));
  }

  /** True if that release stored it. */
  judge({ trial, author, actor, judgment, categories, isStale }: JudgmentOperation, at: string): boolean {
    const chain = this.#listChain(trial, author);
    if (!this.#mayChange(chain, actor) || (isStale && chain.length > 0)) return false;
    this.#add(trial, at, {
      ...{ kind: "saved", withdraws: null, judgment, categories: JSON.stringify(categories), notes: NOTES },
      ...{ reviewer_key: computeReviewerKey(author), reviewer_id: author, codebook_version: 0 },
      browser_key_hash: actor,
    });
    return true;
  }

  undo({ trial, author, actor }: UndoOperation, at: string): boolean {
    const chain = this.#listChain(trial, author);
    const made = this.#listStanding(chain).at(-1);
    if (made === undefined || !this.#mayChange(chain, actor)) return false;
    this.#add(trial, at, {
      ...{ kind: "withdrawn", withdraws: made.version_id, judgment: null, categories: "[]", notes: null },
      ...{ reviewer_key: made.reviewer_key, reviewer_id: made.reviewer_id, codebook_version: null },
      browser_key_hash: actor,
    });
    return true;
  }

  #add(
    { trialId, jobUuid, trialName, jobName }: TrialIdentity,
    created_at: string,
    said: Omit<Row, "version_id" | "trial_id" | "job_id" | "trial_name" | "job_name" | "created_at">,
  ): void {
    const version_id = `judgment ${String(this.rows.length)}`;
    const names = { trial_id: trialId, job_id: jobUuid, trial_name: trialName, job_name: jobName };
    this.rows.push({ version_id, ...names, created_at, ...said });
  }

  #listChain(trial: TrialIdentity, author: string): readonly Row[] {
    return this.rows.filter(
      (row) => row.reviewer_key === computeReviewerKey(author) && isSameTrial(toIdentity(row), trial),
    );
  }

  #listStanding(chain: readonly Row[]): readonly Row[] {
    return chain.filter(
      ({ kind, version_id }) => kind === "saved" && !chain.some(({ withdraws }) => withdraws === version_id),
    );
  }

  /** The current value belongs to the last browser with a key. */
  #mayChange(chain: readonly Row[], actor: string | null): boolean {
    const owner = chain.findLast((row) => row.browser_key_hash !== null)?.browser_key_hash ?? null;
    return this.#listStanding(chain).length === 0 || owner === null || owner === actor;
  }

  /** Lines of an export with history, as that release wrote them. */
  listLines(): readonly object[] {
    return this.rows.flatMap((row) => {
      if (row.kind === "withdrawn") return [];
      const chain = this.#listChain(toIdentity(row), row.reviewer_id);
      const withdrawal = this.rows.find(({ withdraws }) => withdraws === row.version_id);
      const kept = this.#listStanding(chain).at(-1) === row ? "current" : "superseded";
      const categories = JSON.parse(row.categories) as readonly string[];
      return {
        schema: "assay.annotation/1",
        version_id: row.version_id,
        version: chain.indexOf(row) + 1,
        status: withdrawal === undefined ? kept : "withdrawn",
        withdrawn_at: withdrawal?.created_at ?? null,
        ...{ trial_id: row.trial_id, job_id: row.job_id, trial_name: row.trial_name, job_name: row.job_name },
        ...{ root: REST.root_label, task_name: REST.task_name, agent: REST.agent, model: REST.model },
        ...{ outcome_seen: REST.outcome_seen, reward_seen: REST.reward_seen },
        ...{ reviewer_id: row.reviewer_id, reviewer_discipline: null, timestamp: row.created_at },
        ...{ judgment: row.judgment, categories, notes: row.notes, saved_by: null, withdrawn_by: null },
        ...{ category_ids: categories.map(() => "wrong-output"), confidence: null, evidence: [] },
        ...{ queue_id: null, queue_position: null, hidden: null, codebook_version: row.codebook_version },
        ...{ fingerprint: null, withdrawal_id: withdrawal?.version_id ?? null },
      };
    });
  }
}

function toIdentity(row: Row): TrialIdentity {
  return { trialId: row.trial_id, jobUuid: row.job_id, trialName: row.trial_name, jobName: row.job_name };
}
