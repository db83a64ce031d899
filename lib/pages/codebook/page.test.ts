import { afterEach, beforeEach, expect, it } from "vitest";

import { codebookAddress } from "@/lib/pages/codebook/address";
import {
  type AnnotationStore,
  changeCodebook,
  createAnnotation,
  listAll,
  openAnnotationStore,
  readCodebook,
} from "@/lib/people/annotations";
import { describeQueries } from "@/lib/store/database/postgres.fixture";

import { findUses, getCategoriesPage, getCodebookChanges, getCodebookHead } from "./page";

const SUBJECT = {
  trialId: null,
  jobUuid: null,
  jobName: "nightly",
  rootLabel: "jobs",
  taskName: "tidy",
  agent: "orca",
  model: null,
  outcomeSeen: "failed",
  rewardSeen: "0.0",
} as const;

describeQueries("the page of the codebook", ({ freshTarget }) => {
  let store: AnnotationStore;

  beforeEach(async () => {
    store = openAnnotationStore(await freshTarget());
  });
  afterEach(async () => store.close());

  const params = codebookAddress.read({});
  const judge = async (trialName: string, reviewerId: string, categories: readonly string[]) => {
    const { codebook } = await readCodebook(store);
    const chain = (await listAll(store))
      .find(({ subject }) => subject.trialName === trialName)
      ?.chains.find((one) => one.reviewerId === reviewerId);
    await createAnnotation(store, {
      subject: { ...SUBJECT, trialName },
      draft: { reviewerId, reviewerDiscipline: null, judgment: "fail", categories, notes: "n" },
      baseVersionId: chain?.headVersionId ?? null,
    });
    return codebook;
  };
  const change = async (one: unknown) =>
    changeCodebook(store, {
      change: one,
      author: "Ada",
      baseVersion: (await readCodebook(store)).codebook.version,
    });
  const text = (label: string, parentId: string | null = null) => ({ label, parentId, contexts: ["fail"] });
  const countUses = async (show: "live" | "all" = "all") => {
    const { list } = await getCategoriesPage({ ...params, show }, store);
    return Object.fromEntries(
      list.rows.flatMap(({ category, nTrials }) => (nTrials === 0 ? [] : [[category.label, nTrials]])),
    );
  };

  it("counts a trial once for each category that its standing judgments have today", async () => {
    await judge("a", "Ada", ["Wrong output", "Loops"]);
    await judge("a", "Grace", ["Misread task", "loops"]);
    await judge("b", "Ada", ["Loops"]);
    await judge("c", "Ada", ["Loops"]);
    await judge("c", "Ada", []);
    expect(await countUses()).toEqual({ "Wrong output": 1, "Misread task": 1, Loops: 2 });
    await change({ kind: "merge", ids: ["wrong-output"], into: "misread-task" });
    expect(await countUses()).toEqual({ "Misread task": 1, Loops: 2 });
  });

  it("lists a split category until the last of its trials is judged again", async () => {
    await judge("a", "Ada", ["Environment"]);
    await judge("b", "Ada", ["Environment"]);
    const into = ["Network", "Disk"].map((label) => ({ ...text(label), id: label }));
    await change({ kind: "split", id: "environment", into });
    const readWaiting = async () => (await getCategoriesPage(params, store)).waiting;
    expect(await readWaiting()).toEqual([{ id: "environment", label: "Environment", nTrials: 2 }]);
    await judge("a", "Ada", ["Network"]);
    expect(await readWaiting()).toMatchObject([{ nTrials: 1 }]);
    await judge("b", "Ada", ["Disk"]);
    expect(await readWaiting()).toEqual([]);
    expect(findUses(await listAll(store), await readCodebook(store)).byId.get("Disk")).toHaveLength(1);
  });

  it("shows categories below those above them, and those of a retired one at the top", async () => {
    await change({
      kind: "add",
      categories: [
        { ...text("Child", "wrong-output"), id: "child" },
        { ...text("Grandchild", "child"), id: "grandchild" },
        { ...text("Other child", "misread-task"), id: "other" },
      ],
    });
    const readTree = async (show: "live" | "all") => {
      const { list } = await getCategoriesPage({ ...params, show }, store);
      return list.rows.map(({ category, depth }) => `${depth} ${category.label}`);
    };
    const tree = await readTree("live");
    expect(tree.slice(tree.indexOf("0 Wrong output"), tree.indexOf("0 Weakened tests"))).toEqual([
      "0 Wrong output",
      "1 Child",
      "2 Grandchild",
      "0 Misread task",
      "1 Other child",
    ]);
    await change({ kind: "retire", id: "wrong-output" });
    expect(await readTree("live")).toContain("0 Child");
    expect(await readTree("all")).toEqual(tree);
    const found = await getCategoriesPage({ ...params, text: "CHILD" }, store);
    expect(found.list.rows.map(({ category, parent }) => [category.label, parent])).toEqual([
      ["Child", "Wrong output"],
      ["Grandchild", "Child"],
      ["Other child", "Misread task"],
    ]);
    expect(await getCodebookHead(store)).toMatchObject({ version: 2, nLive: 16, nCategories: 17 });
  });

  it("lists changes with the names at that time, and a category's own changes", async () => {
    await change({ kind: "edit", id: "lucky", text: text("Luck") });
    await change({ kind: "merge", ids: ["lucky"], into: "environment" });
    await change({ kind: "restore", id: "lucky" });
    await change({ kind: "edit", id: "lucky", text: { ...text("Luck"), definition: "By chance." } });
    await change({ kind: "open-coding", isOn: true });
    const { rows } = await getCodebookChanges(params, store);
    expect(rows.map((line) => line.text)).toEqual([
      "Started open coding.",
      "Edited “Luck”.",
      "Restored “Luck”.",
      "Merged “Luck” into “Environment”.",
      "Renamed “Lucky” to “Luck”.",
    ]);
    const { opened } = await getCategoriesPage({ ...params, open: "environment" }, store);
    expect(opened?.changes.map(({ version, author }) => [version, author])).toEqual([[2, "Ada"]]);
  });
});
