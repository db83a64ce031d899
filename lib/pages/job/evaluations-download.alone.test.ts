import { expect, it, onTestFinished, vi } from "vitest";

import { ReadingError } from "@/lib/core/domain/app-error";
import { parseTrialsParams } from "@/lib/pages/trials/address";
import type * as reading from "@/lib/read/trial-reading";
import { getSharedIndex } from "@/lib/store/indexer";
import { jobFiles, makeFolder } from "@/lib/testing/folder.fixture";

import type { FileDownload } from "../shell/download";
import { getEvaluationFile, getEvaluationsDownload } from "./evaluations-download";

// Outside a request Next has no connection to wait for.
vi.mock("next/server", () => ({ connection: () => Promise.resolve() }));
vi.mock("@/lib/read/trial-reading", async (importOriginal) => {
  const original = await importOriginal<typeof reading>();
  const readApart: typeof original.readApart = (reader, affinity, ...input) =>
    affinity.includes("beta")
      ? Promise.reject(new ReadingError("It came to 40 MiB."))
      : original.readApart(reader, affinity, ...input);
  return { ...original, readApart };
});

async function readAll({ pieces }: FileDownload): Promise<string> {
  let text = "";
  for await (const piece of pieces)
    text += typeof piece === "string" ? piece : new TextDecoder().decode(piece);
  return text;
}

it("reports a trial with unreadable files, and has all other evaluations", async () => {
  const names = ["alpha__aaaaaaa", "beta__bbbbbbb", "gamma__ccccccc"];
  process.env["ASSAY_ROOTS"] = JSON.stringify([
    makeFolder(jobFiles("run", Object.fromEntries(names.map((name) => [name, 1])))),
  ]);
  process.env["ASSAY_DATA"] = makeFolder({});
  const index = await getSharedIndex();
  onTestFinished(async () => {
    await index.close();
    globalThis.assayIndex = undefined;
  });
  await index.refresh();

  const rows = (await readAll(await getEvaluationsDownload("run", parseTrialsParams({}))))
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  const unread = {
    trial_key: "beta__bbbbbbb",
    evaluation: null,
    partial_evaluation: null,
    issues: [{ code: "reading_failed", field: "", file: null, message: "It came to 40 MiB." }],
  };
  expect(rows).toHaveLength(3);
  expect(rows).toContainEqual(expect.objectContaining(unread));
  for (const trial_key of ["alpha__aaaaaaa", "gamma__ccccccc"])
    expect(rows).toContainEqual(expect.objectContaining({ trial_key, issues: [] }));
  expect(JSON.parse(await readAll(await getEvaluationFile("run", "beta__bbbbbbb")))).toMatchObject(unread);
});
