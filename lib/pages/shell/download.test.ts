import { expect, it } from "vitest";

import { NotFoundError, StoreError } from "@/lib/core/domain/app-error";
import { startOwnPostgres } from "@/lib/store/database/postgres.fixture";
import { openIndex } from "@/lib/store/indexer";
import { readTotals } from "@/lib/store/tables";
import { jobFiles, makeFolder } from "@/lib/testing/folder.fixture";

import { type Download, serveDownload } from "./download";

const REQUEST = { format: "csv", url: "http://localhost/jobs.csv" } as const;

/** A list whose rows are read when they are asked for, as all are. */
function open(read: () => Promise<unknown>): Download<number> {
  const rows = async function* () {
    await read();
    yield* [1, 2, 3];
  };
  const column = {
    name: "n",
    type: "integer",
    unit: null,
    description: "n",
    read: (n: number) => n,
  } as const;
  const table = {
    schema: "assay.test/1",
    list: "rows",
    columns: [column],
    prepareJson: (n: number) => ({ n }),
  };
  return { name: "list", table, rows: rows(), generation: 1 };
}

it("sends every row once, the first one too", async () => {
  const answer = await serveDownload(REQUEST, () => Promise.resolve(open(() => Promise.resolve())));
  expect(answer.status).toBe(200);
  expect((await answer.text()).split("\r\n").slice(0, 4)).toEqual(["n", "1", "2", "3"]);
});

it("reports an unknown list in a sentence", async () => {
  const answer = await serveDownload(REQUEST, () =>
    Promise.reject(new NotFoundError("No such job is open.")),
  );
  expect(answer.status).toBe(404);
  expect(await answer.text()).toBe("No such job is open.\n");
});

it("reports an unreadable index in a sentence, and does not hide program errors", async () => {
  const server = await startOwnPostgres();
  const folder = makeFolder(jobFiles("run", { alpha__aaaaaaa: 1 }));
  const { store, refresh } = await openIndex({ roots: [folder], environment: { DATABASE_URL: server.url } });
  await refresh();
  expect((await readTotals(store)).nTrials).toBe(1);
  await server.kill();

  const read = () => readTotals(store);
  await expect(read()).rejects.toThrow(StoreError);
  const answer = await serveDownload(REQUEST, () => Promise.resolve(open(read)));
  expect(answer.status).toBe(503);
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await answer.text()).toMatch(/^The database .+\n$/);

  await expect(serveDownload(REQUEST, () => Promise.reject(new TypeError("a fault")))).rejects.toThrow(
    "a fault",
  );
});
