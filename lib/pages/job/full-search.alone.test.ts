import { expect, it, vi } from "vitest";

import { ReadingError } from "@/lib/core/domain/app-error";
import { TEXT_LIMITS } from "@/lib/core/domain/search-text";
import { parseTrialsParams } from "@/lib/pages/trials/address";
import { readHead } from "@/lib/store/tables";
import { jobFiles, makeFolder } from "@/lib/testing/folder.fixture";
import { makeDataFolder, openHere } from "@/lib/testing/index.fixture";

import { searchInFull } from "./full-search";

vi.mock("@/lib/read/trial-reading", async (importOriginal) => ({
  ...(await importOriginal<object>()),
  readApart: () => Promise.reject(new ReadingError("The process ended.")),
}));

it("reads trajectories in another process, and counts one that crashes it as not searched", async () => {
  const message = `${"x ".repeat(TEXT_LIMITS.textChars)}hidden`;
  const folder = makeFolder({
    ...jobFiles("run", { alpha__aaaaaaa: 1 }),
    "run/alpha__aaaaaaa/agent/trajectory.json": {
      schema_version: "ATIF-v1.6",
      session_id: "s",
      agent: { name: "orca", version: "1" },
      steps: [{ step_id: 1, source: "agent", message }],
    },
  });
  const index = await openHere([folder], makeDataFolder());
  await index.refresh();
  await index.settle();
  const job = await readHead(index.store, "run");
  const params = { ...parseTrialsParams({}), isInFull: true, text: "hidden" };
  expect(await searchInFull(index.store, job, params)).toEqual({ found: [], nSearched: 0, nLeft: 1 });
});
