import { afterEach, beforeEach, expect, it } from "vitest";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from "@/lib/core/domain/app-error";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import {
  type AnnotationStore,
  createAnnotation,
  decide,
  hashBrowserKey,
  listDecisions,
  mayWithdraw,
  openAnnotationStore,
  prepareExport,
  readCodebook,
  withdrawDecision,
} from "../index";

const subject: AnnotationSubject = {
  trialId: "0a8d2f9e-6a35-4e0e-9d5c-5f1f3c0a1b01",
  jobUuid: null,
  trialName: "tidy-ledger__aB3dE7x",
  jobName: "nightly",
  rootLabel: "runs",
  taskName: "tidy-ledger",
  agent: "orca",
  model: "m1",
  outcomeSeen: "passed",
  rewardSeen: "1.0",
};
const CLEO = { browserKeyHash: hashBrowserKey("cleo"), isAdmin: false };
const OTHER = { browserKeyHash: hashBrowserKey("other"), isAdmin: false };
const ADMIN = { browserKeyHash: hashBrowserKey("admin"), isAdmin: true };
const DRAFT = {
  finalJudgment: "fail",
  categories: ["Stopped early"],
  reason: " The second half is not done.\r\nNo guard. ",
  basedOn: "a",
  codebookNote: null,
  decidedBy: "Cleo",
} as const;

let store: AnnotationStore;
let sources: readonly { readonly versionId: string; readonly reviewerId: string }[];

function settle(
  draft: Partial<Record<keyof typeof DRAFT, unknown>> = {},
  input: { readonly base?: string | null; readonly about?: AnnotationSubject; readonly saveId?: string } = {},
) {
  const { base = null, about = subject, ...save } = input;
  const given = { subject: about, sources, baseDecisionId: base, queueId: null, actor: CLEO, ...save };
  return decide(store, { ...given, draft: { ...DRAFT, ...draft } });
}

/** Reviewers' saves, as exported. */
/** The lines of judgments. */
async function exportAll(): Promise<readonly string[]> {
  const { lines } = await prepareExport(store, { history: true });
  return [...lines].filter((line) => line.startsWith('{"schema":"assay.annotation/1"'));
}

describeEngines("decisions", (engine) => {
  beforeEach(async () => {
    store = openAnnotationStore(await engine.freshTarget());
    sources = await Promise.all(
      (["pass", "fail"] as const).map(async (judgment, index) => {
        const reviewerId = index === 0 ? "Ana" : "Ben";
        const draft = { reviewerId, reviewerDiscipline: null, judgment, categories: [], notes: null };
        const { versionId } = await createAnnotation(store, { subject, draft, baseVersionId: null });
        return { versionId, reviewerId };
      }),
    );
  });

  afterEach(() => store.close());

  it("are added to the judgments, which stay unchanged", async () => {
    const before = await exportAll();
    const made = await settle();
    expect(await listDecisions(store, subject)).toEqual([made]);
    expect(made).toMatchObject({
      finalJudgment: "fail",
      reason: "The second half is not done.\nNo guard.",
      basedOn: "a",
      decidedBy: "Cleo",
      sources: sources.map(({ versionId }) => versionId),
    });
    const second = await settle({ finalJudgment: "pass" }, { base: made.decisionId });
    expect((await listDecisions(store)).map(({ decisionId }) => decisionId)).toEqual([
      made.decisionId,
      second.decisionId,
    ]);
    expect(await exportAll()).toEqual(before);
  });

  it("are stored once if their save is repeated, and not returned for other text", async () => {
    const id = { saveId: "6f0e3c52-1f0a-4a34-9c6e-0a3d5b1c7e21" };
    const made = await settle({}, id);
    expect(await settle({}, id)).toEqual(made);
    expect(await listDecisions(store)).toEqual([made]);
    await expect(settle({ reason: "Other." }, id)).rejects.toThrow(ConflictError);
  });

  itLong(engine.name === "sqlite")(
    "need a reason, a name and a known verdict, and say so by field",
    async () => {
      const refuse = async (draft: Parameters<typeof settle>[0]) => {
        const error: unknown = await settle(draft).then(
          () => null,
          (failure: unknown) => failure,
        );
        return error instanceof ValidationError ? Object.keys(error.fields) : error;
      };
      expect(await refuse({ reason: "  \n" })).toEqual(["reason"]);
      expect(await refuse({ reason: "x".repeat(1_000_000) })).toEqual(["reason"]);
      expect(await refuse({ decidedBy: " " })).toEqual(["decidedBy"]);
      expect(await refuse({ finalJudgment: "maybe" })).toEqual(["finalJudgment"]);
      expect(await refuse({ categories: Array.from({ length: 100 }, (_, at) => String(at)) })).toEqual([
        "categories",
      ]);
      expect(await listDecisions(store)).toEqual([]);
    },
  );

  itLong(engine.name === "sqlite")(
    "are refused to the reviewers of the trial, however they type their name",
    async () => {
      for (const decidedBy of ["Ana", " ben ", "ＢＥＮ"])
        await expect(settle({ decidedBy })).rejects.toThrow(ForbiddenError);
      expect(await listDecisions(store)).toEqual([]);
    },
  );

  it("of another user are never overwritten unseen, not even at the same moment", async () => {
    const both = await Promise.allSettled([settle(), settle({ decidedBy: "Dora" })]);
    const lost = both.filter((one) => one.status === "rejected").map(({ reason }): unknown => reason);
    const [standing] = await listDecisions(store, subject);
    expect(lost).toHaveLength(1);
    expect(lost[0]).toBeInstanceOf(ConflictError);
    expect(lost[0]).toMatchObject({ current: { decisionId: standing?.decisionId } });
    const other = { ...subject, trialId: "0a8d2f9e-6a35-4e0e-9d5c-5f1f3c0a1b02" };
    await settle({}, { about: other });
    expect(await listDecisions(store)).toHaveLength(2);
  });

  it("are undone once, by their own browser or an admin, and leave the one before", async () => {
    const first = await settle();
    const { decisionId } = await settle({ finalJudgment: null }, { base: first.decisionId });
    expect(await mayWithdraw(store, decisionId, OTHER)).toBe(false);
    await expect(withdrawDecision(store, { decisionId, actor: OTHER })).rejects.toThrow(ForbiddenError);
    expect(await mayWithdraw(store, decisionId, CLEO)).toBe(true);
    await withdrawDecision(store, { decisionId, actor: CLEO });
    expect(await listDecisions(store, subject)).toEqual([first]);
    const again = withdrawDecision(store, { decisionId, actor: CLEO });
    await expect(again).rejects.toThrow(new ConflictError("This decision was already undone.", null));
    const absent = withdrawDecision(store, { decisionId: "absent", actor: CLEO });
    await expect(absent).rejects.toThrow(NotFoundError);
    expect(await mayWithdraw(store, first.decisionId, ADMIN)).toBe(true);
    await withdrawDecision(store, { decisionId: first.decisionId, actor: ADMIN });
    expect(await listDecisions(store, subject)).toEqual([]);
    await expect(settle({}, { base: first.decisionId })).rejects.toThrow(ConflictError);
    await settle();
    expect(await listDecisions(store, subject)).toHaveLength(1);
  });

  itLong(engine.name === "sqlite")(
    "are over one trial in exports too where the file has its id by now",
    async () => {
      const first = await settle({}, { about: { ...subject, trialId: null, jobUuid: null } });
      const second = await settle({ finalJudgment: "pass" }, { base: first.decisionId });
      const { lines } = await prepareExport(store);
      const written = [...lines].filter((line) => line.includes("decision_id"));
      expect(written.map((line) => (JSON.parse(line) as { decision_id: string }).decision_id)).toEqual([
        second.decisionId,
      ]);
    },
  );

  itLong(engine.name === "sqlite")("bring a category that was typed into the codebook", async () => {
    const { codebookVersion } = await settle({ categories: ["Half done", "half  done"] });
    const { codebook } = await readCodebook(store);
    expect(codebook.version).toBe(codebookVersion);
    expect(codebook.categories.filter(({ label }) => /half/iu.test(label))).toHaveLength(1);
  });
});
