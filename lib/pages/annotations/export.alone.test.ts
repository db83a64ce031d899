import { expect, it, onTestFinished, vi } from "vitest";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import type { BlindPart } from "@/lib/core/domain/review";
import { readExportRequest } from "@/lib/pages/annotations/address";
import { createAnnotation, createQueue, getAnnotationStore } from "@/lib/people/annotations";
import { getSharedIndex } from "@/lib/store/indexer";
import { jobFiles, makeFolder } from "@/lib/testing/folder.fixture";

import { getAnnotationsDownload } from "./export";

// Outside a request Next has no connection to wait for.
vi.mock("next/server", () => ({ connection: () => Promise.resolve() }));

const NAMES = ["alpha__aaaaaaa", "beta__bbbbbbb"];
const JOB = "secret-agent-run";

const subjectOf = (trialName: string): AnnotationSubject => ({
  trialId: null,
  jobUuid: null,
  trialName,
  jobName: JOB,
  rootLabel: "jobs",
  taskName: "task",
  agent: "orca",
  model: null,
  outcomeSeen: "passed",
  rewardSeen: "1.0",
});

async function readTasks(queue: string | null): Promise<string> {
  const request = readExportRequest(
    `http://assay.test/annotations/export?format=label-studio${queue === null ? "" : `&queue=${queue}`}`,
  );
  const { pieces } = await getAnnotationsDownload(request, new Headers({ host: "assay.test" }));
  return typeof pieces === "string" ? pieces : "";
}

const listPages = (tasks: string) =>
  (JSON.parse(tasks) as { readonly data: { readonly page: string } }[]).map(({ data }) => data.page);

it("links other labelling tools to pages that hide the same parts", async () => {
  process.env["ASSAY_ROOTS"] = JSON.stringify([
    makeFolder(jobFiles(JOB, Object.fromEntries(NAMES.map((name) => [name, 1])))),
  ]);
  process.env["ASSAY_DATA"] = makeFolder({});
  const index = await getSharedIndex();
  const store = getAnnotationStore();
  onTestFinished(async () => {
    await index.close();
    await store.close();
    globalThis.assayIndex = undefined;
    globalThis.assayAnnotationStore = undefined;
  });
  await index.refresh();
  const make = (hides: readonly BlindPart[]) =>
    createQueue(store, {
      settings: {
        name: "Audit",
        goal: "corrected-score",
        method: "all",
        seed: null,
        order: "list",
        source: "Trials",
        sourceHref: null,
        reviewers: [],
        doubleShare: 0,
        hides: [...hides],
        isOpenCoding: false,
        strata: [],
      },
      items: NAMES.map((name) => ({ subject: subjectOf(name), nReviewers: 1 as const })),
      author: "Ada",
    });

  const blind = await make(["agent", "verifier"]);
  const tasks = await readTasks(blind);
  expect(listPages(tasks)).toEqual(
    [1, 2].map((at) => `http://assay.test/annotations/queues/${blind}/items/${at}`),
  );
  expect(tasks).not.toContain(JOB);

  const ofTrials = NAMES.map((name) => `http://assay.test/jobs/${JOB}/trials/${name}`);
  expect(listPages(await readTasks(await make([])))).toEqual(ofTrials);
  const draft = {
    reviewerId: "Ada",
    reviewerDiscipline: null,
    judgment: "pass",
    categories: [],
    notes: null,
  };
  await createAnnotation(store, { subject: subjectOf(NAMES[0] ?? ""), draft, baseVersionId: null });
  expect(listPages(await readTasks(null))).toEqual(ofTrials.slice(0, 1));
});
