import { afterEach, beforeEach, expect, it } from "vitest";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import { ConflictError, ValidationError } from "@/lib/core/domain/app-error";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import {
  type AnnotationStore,
  changeCodebook,
  createAnnotation,
  decide,
  formatCodebookFile,
  importCodebook,
  mapForward,
  openAnnotationStore,
  readCodebook,
} from "../index";

const subject: AnnotationSubject = {
  trialId: null,
  jobUuid: "77b0a0de-0c4f-4f53-8f53-d3c1a7d0c901",
  trialName: "tidy-ledger__aB3dE7x",
  jobName: "nightly",
  rootLabel: "runs",
  taskName: "tidy-ledger",
  agent: "orca",
  model: null,
  outcomeSeen: "failed",
  rewardSeen: "0.0",
};

const text = (label: string) => ({ label, contexts: ["fail"] });
const readError = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describeEngines("the codebook", ({ name, freshTarget }) => {
  let store: AnnotationStore;

  beforeEach(async () => {
    store = openAnnotationStore(await freshTarget());
  });
  afterEach(async () => store.close());

  const change = (one: unknown, baseVersion: number, author = "Ada") =>
    changeCodebook(store, { change: one, author, baseVersion });
  const importText = (file: string, isTrial = false) =>
    importCodebook(store, { text: file, author: "Ada", isTrial });
  const find = async (label: string) =>
    (await readCodebook(store)).codebook.categories.find((one) => one.label === label);

  it("writes no version for an edit that says what the category says already", async () => {
    const said = {
      label: "Lucky",
      definition: " It worked by chance. ",
      contexts: ["pass", "fail"],
    };
    await change({ kind: "edit", id: "lucky", text: said }, 0);
    const same = { ...said, definition: "It worked by chance.", contexts: ["fail", "pass"] };
    const refused = await readError(change({ kind: "edit", id: "lucky", text: same }, 1));
    expect(refused).toMatchObject({ message: "Nothing changed: the category already says this." });
    expect((await readCodebook(store)).codebook.version).toBe(1);
    await change({ kind: "edit", id: "lucky", text: { ...same, contexts: ["pass"] } }, 1);
    expect((await readCodebook(store)).codebook.version).toBe(2);
  });

  it("refuses only changes of the same category on an older codebook", async () => {
    await change({ kind: "edit", id: "lucky", text: { label: "Luck", contexts: ["pass"] } }, 0);
    const late = await readError(
      change({ kind: "edit", id: "lucky", text: { label: "By chance", contexts: ["pass"] } }, 0, "Grace"),
    );
    expect(late).toBeInstanceOf(ConflictError);
    expect(String(late)).toContain("Ada changed this meanwhile (version 1)");
    await change({ kind: "retire", id: "environment" }, 0, "Grace");
    const { codebook } = await readCodebook(store);
    expect(codebook.version).toBe(2);
    expect(codebook.categories.find(({ id }) => id === "lucky")?.label).toBe("Luck");
  });

  itLong(name === "sqlite")(
    "refuses what cannot be: two of a name, circles, a merge into nothing, an edit of what is retired",
    async () => {
      await change({ kind: "add", categories: [{ ...text("Loops"), id: "loops" }] }, 0);
      await change({ kind: "retire", id: "lucky" }, 1);
      const refused: unknown[] = [
        { kind: "add", categories: [{ ...text("LOOPS "), id: "other" }] },
        { kind: "add", categories: [{ ...text("Other"), id: "loops" }] },
        {
          kind: "add",
          categories: [
            { ...text("A"), id: "a", parentId: "b" },
            { ...text("B"), id: "b", parentId: "a" },
          ],
        },
        { kind: "add", categories: [{ ...text("C"), id: "c", parentId: "nowhere" }] },
        { kind: "edit", id: "loops", text: { ...text("Loops"), parentId: "loops" } },
        { kind: "edit", id: "lucky", text: text("Luck") },
        { kind: "merge", ids: ["loops"], into: "nowhere" },
        { kind: "merge", ids: ["loops"], into: "loops" },
        { kind: "merge", ids: ["loops"], into: "lucky" },
        { kind: "split", id: "loops", into: [{ ...text("One"), id: "one" }] },
        { kind: "restore", id: "loops" },
        { kind: "add", categories: [{ ...text("x".repeat(81)), id: "long" }] },
        { kind: "add", categories: [{ ...text("D"), id: "d", definition: "x".repeat(2_001) }] },
      ];
      for (const one of refused) {
        expect(await readError(change(one, 2)), JSON.stringify(one).slice(0, 90)).toBeInstanceOf(
          ValidationError,
        );
      }
      expect((await readCodebook(store)).codebook.version).toBe(2);
    },
  );

  itLong(name === "sqlite")("keeps any texts unchanged", async () => {
    const label = `<img src=x onerror=alert(1)> "{{7*7}}`;
    const definition = "\u202E<script>alert(1)</script>\n\u0001 ]]> %s '; drop table codebook_change; --";
    await change({ kind: "add", categories: [{ ...text(label), id: "__proto__", definition }] }, 0);
    expect(await find(label)).toMatchObject({ id: "__proto__", label, definition });
    const file = formatCodebookFile((await readCodebook(store)).codebook);
    expect(await importText(file, true)).toMatchObject({ added: [], changed: [], errors: [] });
  });

  itLong(name === "sqlite").each(["\u200b", "Tim\u202Eout", "\u00ad"])(
    "refuses the name %j, typed or in a file",
    async (label) => {
      const named = { ...text(label), id: "odd" };
      const error = await readError(change({ kind: "add", categories: [named] }, 0));
      expect(error).toMatchObject({
        message: expect.stringMatching(/invisible characters|U\+202E/) as string,
      });
      await expect(change({ kind: "edit", id: "environment", text: text(label) }, 0)).rejects.toThrow(
        ValidationError,
      );
      const file = JSON.stringify({ schema: "assay.codebook/1", categories: [named] });
      expect((await importText(file)).errors).toMatchObject([{ line: 1, message: (error as Error).message }]);
    },
  );

  it("counts a judgment for what its category is today", async () => {
    const draft = {
      reviewerId: "Ada",
      reviewerDiscipline: null,
      judgment: "fail",
      categories: ["Wrong output", "my own"],
      notes: null,
    };
    const saved = await createAnnotation(store, { subject, draft, baseVersionId: null });
    expect(saved.codebookVersion).toBe(1);
    const own = await find("my own");
    await change({ kind: "edit", id: own?.id, text: text("Gives up") }, 1);
    await change({ kind: "merge", ids: ["wrong-output"], into: "misread-task" }, 2);
    await change({ kind: "add", categories: [{ ...text("Wrong output"), id: "new" }] }, 3);
    const history = await readCodebook(store);
    expect(mapForward(history, saved).map(({ label }) => label)).toEqual(["Misread task", "Gives up"]);
    await change({ kind: "restore", id: "wrong-output" }, 4).catch(() => null);
    expect((await readCodebook(store)).codebook.version).toBe(4);
  });

  itLong(name === "sqlite")("maps an older name to today's category, and adds none again", async () => {
    const judge = (reviewerId: string, categories: readonly string[], more: object = {}) =>
      createAnnotation(store, {
        subject,
        draft: { reviewerId, reviewerDiscipline: null, judgment: "fail", categories, notes: null },
        baseVersionId: null,
        ...more,
      });
    await change({ kind: "edit", id: "misread-task", text: text("Misunderstood") }, 0);
    await change({ kind: "merge", ids: ["wrong-output"], into: "misread-task" }, 1);
    await change({ kind: "retire", id: "environment" }, 2);
    const environment = (await readCodebook(store)).byId.get("environment")?.label ?? "";
    const { categories } = (await readCodebook(store)).codebook;
    const typed = ["misread TASK", "Wrong output", environment];
    const saveId = "0a8d2f9e-6a35-4e0e-9d5c-5f1f3c0a1b0f";
    const saved = await judge("Ada", typed, { saveId });
    expect(saved).toMatchObject({ categories: ["Misunderstood", environment], codebookVersion: 3 });
    expect((await readCodebook(store)).codebook.categories).toEqual(categories);
    // The same save that comes again is stored once.
    expect(await judge("Ada", typed, { saveId })).toEqual(saved);
    await expect(judge("Ada", ["Wrong output", "Own"], { saveId })).rejects.toThrow(ValidationError);

    const decided = await decide(store, {
      subject,
      draft: {
        finalJudgment: "fail",
        categories: typed,
        reason: "r",
        basedOn: null,
        codebookNote: null,
        decidedBy: "Cy",
      },
      sources: [],
      baseDecisionId: null,
      queueId: null,
      actor: { browserKeyHash: null, isAdmin: false },
    });
    expect(decided).toMatchObject({ categories: ["Misunderstood", environment], codebookVersion: 3 });

    expect(await judge("Ben", ["Never had"])).toMatchObject({ codebookVersion: 4 });
    expect(await find("Never had")).toMatchObject({ state: "live" });
  });

  it("imports its own export into another codebook, with what was merged and split, and a second time changes nothing", async () => {
    const into = ["Network", "Disk"].map((label) => ({ ...text(label), id: label.toLowerCase() }));
    await change({ kind: "split", id: "environment", into }, 0);
    await change({ kind: "merge", ids: ["lucky"], into: "right-for-the-wrong-reason" }, 1);
    await change({ kind: "retire", id: "weakened-tests" }, 2);
    const file = formatCodebookFile((await readCodebook(store)).codebook);
    const other = openAnnotationStore(await freshTarget());
    const input = { text: file, author: "Grace", isTrial: false };
    const trial = await importCodebook(other, { ...input, isTrial: true });
    expect(trial).toMatchObject({ added: ["Network", "Disk"], errors: [], conflicts: [], isDone: false });
    expect((await readCodebook(other)).codebook.version).toBe(0);
    expect(await importCodebook(other, input)).toMatchObject({ added: ["Network", "Disk"], isDone: true });
    const strip = ({ codebook }: Awaited<ReturnType<typeof readCodebook>>) =>
      codebook.categories.map(({ since: _, ...rest }) => rest);
    expect(strip(await readCodebook(other))).toEqual(strip(await readCodebook(store)));
    expect(await importCodebook(other, input)).toMatchObject({ isDone: false, nUnchanged: 16 });
    await other.close();
  });

  it("takes all of a file or nothing, and says which entry is wrong and which was changed on both sides", async () => {
    const entry = (values: object) => ({ contexts: ["fail"], ...values });
    const write = (categories: unknown[], version?: number) =>
      JSON.stringify({ schema: "assay.codebook/1", version, categories });
    const broken = await importText(
      write([
        entry({ label: "Fine" }),
        entry({ label: "" }),
        entry({ label: "Bad colour", colour: "<red>" }),
        entry({ id: "x", label: "Twice" }),
        entry({ id: "x", label: "Twice again" }),
        7,
      ]),
    );
    expect(broken.errors.map((one) => one.entry)).toEqual([2, 3, 5, 6]);
    expect(broken.errors.map((one) => one.message)).toEqual([
      "label: A category needs a name.",
      'colour: Expected one of "blue", "orange", "purple", "green", "grey", found "<red>".',
      "id: Entry 4 has the same id. Change one of them.",
      "Expected an object, found 7.",
    ]);
    expect(broken.isDone).toBe(false);
    const taken = await importText(write([entry({ id: "other", label: "wrong  OUTPUT" })]));
    expect(taken.errors).toMatchObject([{ entry: 1, message: expect.stringContaining("already") as string }]);
    expect(await readError(importText("{\n\n not json"))).toMatchObject({
      message: expect.stringContaining("line 3") as string,
    });
    for (const [file, message] of [
      [
        '{"schema":"assay.codebook/9","categories":[]}',
        'schema: Expected "assay.codebook/1", found "assay.codebook/9".',
      ],
      [
        '{"schema":"assay.codebook/1","version":"x","categories":[]}',
        'version: Expected a number, found "x".',
      ],
      ['{"schema":"assay.codebook/1"}', "categories: It is missing. Expected a list."],
    ] as const)
      expect(await readError(importText(file))).toMatchObject({
        code: "invalid",
        message: expect.stringContaining(message) as string,
      });

    await change({ kind: "add", categories: [{ ...text("Loops"), id: "loops" }] }, 0);
    const { codebook } = await readCodebook(store);
    const theirs = formatCodebookFile(codebook).replace('"Loops"', '"Runs in circles"');
    await change({ kind: "edit", id: "loops", text: text("Goes round") }, 1);
    const both = await importText(theirs);
    expect(both.conflicts).toMatchObject([{ label: "Runs in circles" }]);
    expect((await readCodebook(store)).codebook.version).toBe(2);
    // An older file that says nothing new does not take the change back.
    expect(await importText(formatCodebookFile(codebook))).toMatchObject({ isDone: false, changed: [] });
  });

  itLong(name === "sqlite").each([
    [
      "of splits",
      [
        ["a", "split", ["b", "c"]],
        ["b", "split", ["a", "c"]],
      ],
      [6, 7],
    ],
    [
      "of merges",
      [
        ["a", "merged", ["b"]],
        ["b", "merged", ["a"]],
      ],
      [6, 7],
    ],
    [
      "of both",
      [
        ["a", "split", ["c", "b"]],
        ["b", "merged", ["a"]],
      ],
      [6, 7],
    ],
    ["of itself", [["a", "split", ["a", "c"]]], [6]],
    [
      "below",
      [
        ["a", "merged", ["b"]],
        ["b", "split", ["c", "d"]],
        ["d", "merged", ["b"]],
      ],
      [6, 7, 9],
    ],
    [
      "none",
      [
        ["a", "split", ["b", "c"]],
        ["b", "split", ["c", "d"]],
        ["d", "merged", ["c"]],
      ],
      [],
    ],
  ] as const)("refuses circles in a file, with their lines: %s", async (_, states, lines) => {
    const entries = ["a", "b", "c", "d"].map((id) => {
      const [, state = "live", successors = []] = states.find(([one]) => one === id) ?? [];
      return JSON.stringify({ id, label: `Category ${id}`, contexts: ["fail"], state, successors });
    });
    const head = '{"schema": "assay.codebook/1",\n"version": 0, "note": [[1], {"categories": [2,\n3]}],\n\n';
    const { errors, isDone } = await importText(`${head}"categories": [\n${entries.join(",\n")}]}`);
    expect(errors.map(({ line }) => line)).toEqual(lines);
    for (const { message } of errors) expect(message).toContain("cannot become itself");
    expect(isDone).toBe(lines.length === 0);
  });

  itLong(name === "sqlite")("imports up to 10,000 categories, and not one more", async () => {
    const label = (at: number) => `Category ${String(at)}`;
    const categories = Array.from({ length: 10_000 - 14 }, (_, at) => ({
      id: `c${String(at)}`,
      label: label(at),
      parent: at === 0 ? null : `c${String(at - 1)}`,
      contexts: ["fail", "pass-against"],
    }));
    const file = (list: readonly unknown[]) =>
      JSON.stringify({ schema: "assay.codebook/1", categories: list });
    const few = file(categories.slice(0, 1_000));
    expect(await importText(few)).toMatchObject({ isDone: true });
    expect(await importText(file(categories))).toMatchObject({ isDone: true, nUnchanged: 1_000 });
    const more = await importText(file([{ label: "One more", contexts: ["fail"] }]));
    expect(more.errors).toMatchObject([{ message: expect.stringContaining("10,000") as string }]);
    await change({ kind: "edit", id: "c5000", text: text("Renamed") }, 2);
    expect((await readCodebook(store)).byId.get("c5000")?.label).toBe("Renamed");
  });
});
