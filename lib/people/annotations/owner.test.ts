import { afterEach, beforeEach, expect, it } from "vitest";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import { ForbiddenError } from "@/lib/core/domain/app-error";
import type { Judgment } from "@/lib/core/domain/judgment";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import {
  type Actor,
  type AnnotationStore,
  createAnnotation,
  hashBrowserKey,
  listOthersOfAdmin,
  openAnnotationStore,
  prepareExport,
  readHistory,
  withdrawAnnotation,
} from "./index";

const subject: AnnotationSubject = {
  trialId: "0a8d2f9e-6a35-4e0e-9d5c-5f1f3c0a1b01",
  jobUuid: "77b0a0de-0c4f-4f53-8f53-d3c1a7d0c901",
  trialName: "tidy-ledger__aB3dE7x",
  jobName: "nightly",
  rootLabel: "runs",
  taskName: "tidy-ledger",
  agent: "orca",
  model: "m1",
  outcomeSeen: "passed",
  rewardSeen: "1.0",
};
const otherTrial: AnnotationSubject = { ...subject, trialId: "0a8d2f9e-6a35-4e0e-9d5c-5f1f3c0a1b02" };

const inBrowser = (key: string): Actor => ({ browserKeyHash: hashBrowserKey(key), isAdmin: false });
const ADAS = inBrowser("the key of Ada's browser");
const MALLORYS = inBrowser("the key of Mallory's browser");
const SCRIPT: Actor = { browserKeyHash: null, isAdmin: false };
const ADMIN: Actor = { ...MALLORYS, isAdmin: true };

let store: AnnotationStore;

interface Attempt {
  readonly judgment?: Judgment;
  readonly name?: string;
  readonly on?: AnnotationSubject;
}

/** Saves on top of the reviewer's current judgment, like a user who sees the page. */
async function save(actor: Actor, { judgment = "pass", name = "Ada", on = subject }: Attempt = {}) {
  const chain = (await readHistory(store, on)).find(
    (one) => one.reviewerId.toLowerCase() === name.toLowerCase(),
  );
  const draft = { reviewerId: name, reviewerDiscipline: null, judgment, categories: [], notes: "seen" };
  return createAnnotation(store, {
    subject: on,
    draft,
    baseVersionId: chain?.headVersionId ?? null,
    actor,
  });
}

async function withdraw(actor: Actor) {
  const chain = (await readHistory(store, subject)).find(({ reviewerKey }) => reviewerKey === "ada");
  const versionId = chain?.current?.versionId ?? "none";
  return withdrawAnnotation(store, { subject, reviewerId: "Ada", versionId, actor });
}

async function readCurrent(): Promise<string | undefined> {
  return (await readHistory(store, subject))[0]?.current?.judgment;
}

describeEngines("a judgment", (engine) => {
  beforeEach(async () => {
    store = openAnnotationStore(await engine.freshTarget());
  });
  afterEach(() => store.close());

  it("is changed and undone by the browser that saved it, and by no other that types the name", async () => {
    await save(ADAS);
    for (const stranger of [MALLORYS, SCRIPT]) {
      for (const name of ["Ada", "ADA"])
        await expect(save(stranger, { judgment: "fail", name })).rejects.toThrow(ForbiddenError);
      await expect(withdraw(stranger)).rejects.toThrow(ForbiddenError);
    }
    expect(await readCurrent()).toBe("pass");
    await save(ADAS, { judgment: "defer" });
    await withdraw(ADAS);
    expect(await readCurrent()).toBe("pass");
  });

  itLong(engine.name === "sqlite")(
    "is free for any browser under that name once all of it is undone, and stays undone",
    async () => {
      await save(ADAS);
      await save(ADAS, { judgment: "fail" });
      await withdraw(ADAS);
      await expect(save(MALLORYS)).rejects.toThrow(ForbiddenError);
      await withdraw(ADAS);
      await save(MALLORYS, { judgment: "defer" });
      await expect(save(ADAS)).rejects.toThrow(ForbiddenError);
      await withdraw(MALLORYS);
      const [chain] = await readHistory(store, subject);
      expect(chain?.versions.map(({ judgment, status }) => [judgment, status])).toEqual([
        ["defer", "withdrawn"],
        ["fail", "withdrawn"],
        ["pass", "withdrawn"],
      ]);
    },
  );

  itLong(engine.name === "sqlite")(
    "of before there were accounts is changed by the account of that name in its browser, and from then on anywhere",
    async () => {
      await save(ADAS);
      const account = hashBrowserKey("account of Ada");
      const there: Actor = { ...ADAS, browserKeyHash: account, earlierKeyHash: ADAS.browserKeyHash };
      const elsewhere: Actor = { ...there, earlierKeyHash: MALLORYS.browserKeyHash };
      await expect(save(elsewhere, { judgment: "fail" })).rejects.toThrow(ForbiddenError);
      expect(await listOthersOfAdmin(store, subject, { ...there, isAdmin: true })).toEqual([]);
      await save(there, { judgment: "fail" });
      await save(elsewhere, { judgment: "defer" });
      expect(await readCurrent()).toBe("defer");
      await expect(save(ADAS)).rejects.toThrow(ForbiddenError);
    },
  );

  it("of another name or another trial has no owner yet", async () => {
    await save(ADAS);
    await save(MALLORYS, { name: "Ada (laptop)" });
    await save(MALLORYS, { on: otherTrial });
    await expect(save(ADAS, { on: otherTrial, judgment: "fail" })).rejects.toThrow(ForbiddenError);
    expect(await readHistory(store, subject)).toHaveLength(2);
  });

  it("says in history and exports that an admin changed it or took it back", async () => {
    expect(await listOthersOfAdmin(store, subject, ADMIN)).toEqual([]);
    await save(ADAS);
    await save(MALLORYS, { name: "Mallory" });
    expect(await listOthersOfAdmin(store, subject, ADMIN)).toEqual(["ada"]);
    expect(await listOthersOfAdmin(store, subject, MALLORYS)).toEqual([]);
    await save(ADMIN, { judgment: "fail" });
    await save(ADMIN, { name: "Mallory", judgment: "fail" });
    await withdraw(ADMIN);
    await save(ADAS, { judgment: "defer" });
    const lines = [...(await prepareExport(store, { history: true })).lines].map((line): unknown =>
      JSON.parse(line),
    );
    expect(lines).toMatchObject([
      { reviewer_id: "Ada", judgment: "pass", saved_by: null, withdrawn_by: null },
      { reviewer_id: "Mallory", judgment: "pass", saved_by: null, withdrawn_by: null },
      { reviewer_id: "Ada", judgment: "fail", saved_by: "admin", withdrawn_by: "admin" },
      { reviewer_id: "Mallory", judgment: "fail", saved_by: null, withdrawn_by: null },
      { reviewer_id: "Ada", judgment: "defer", saved_by: null, withdrawn_by: null },
    ]);
  });

  itLong(engine.name === "sqlite")("is changed by an admin, and stays the reviewer's", async () => {
    await save(ADAS);
    await save(ADMIN, { judgment: "fail" });
    await withdraw(ADMIN);
    await expect(save(MALLORYS)).rejects.toThrow(ForbiddenError);
    await save(ADAS, { judgment: "defer" });
    expect(await readCurrent()).toBe("defer");
  });

  itLong(engine.name === "sqlite")(
    "without a key can be changed by any browser, an admin's change leaving it ownerless, and then belongs to that browser",
    async () => {
      await save(SCRIPT);
      await save(ADMIN, { judgment: "fail" });
      await save(ADAS, { judgment: "defer" });
      await expect(save(MALLORYS)).rejects.toThrow(ForbiddenError);
    },
  );

  it("shows its key neither on pages nor in exports", async () => {
    await save(ADAS);
    const lines = [...(await prepareExport(store, { history: true })).lines].join("");
    const shown = lines + JSON.stringify(await readHistory(store, subject));
    expect(lines).toContain("tidy-ledger");
    expect(shown).not.toContain(ADAS.browserKeyHash);
    expect(shown).not.toMatch(/key_?hash/i);
  });
});
