import { expect, it, onTestFinished, vi } from "vitest";

import { ACCOUNT_HEADER, type Account, formatAccount } from "@/lib/core/domain/account";
import { getAnnotationStore } from "@/lib/people/annotations";
import { line, text } from "@/lib/people/annotations/exchange/lines.fixture";
import { getSharedIndex } from "@/lib/store/indexer";
import { makeFolder } from "@/lib/testing/folder.fixture";

import { applyImport, checkImport, sendImportPart, startImport } from "./import-actions";

const asking = vi.hoisted(() => ({ headers: new Headers() }));

vi.mock("next/cache", () => ({ revalidatePath: () => undefined }));
// Outside a request Next has no connection to wait for.
vi.mock("next/server", () => ({ connection: () => Promise.resolve() }));
vi.mock("next/headers", () => ({
  headers: () => Promise.resolve(asking.headers),
  cookies: () => Promise.resolve({ get: () => undefined }),
}));

const signIn = (account: Account | null) => {
  asking.headers =
    account === null ? new Headers() : new Headers({ [ACCOUNT_HEADER]: formatAccount(account) });
};

const ADA = { id: "a", name: "Ada", role: "adjudicator" } as const;
const EVE = { id: "e", name: "Eve", role: "adjudicator" } as const;

const send = (id: string) =>
  sendImportPart({ id, file: 0, name: "a.jsonl", base64: Buffer.from(text(line())).toString("base64") });

async function start(): Promise<string> {
  const begun = await startImport();
  if ("message" in begun) throw new Error(begun.message);
  return begun.id;
}

it("answers an upload of another account like one that does not exist", async () => {
  vi.stubEnv("ASSAY_DATA", makeFolder({}, "data"));
  vi.stubEnv("ASSAY_ROOTS", JSON.stringify([makeFolder({}, "jobs")]));
  const [index, store] = [await getSharedIndex(), getAnnotationStore()];
  onTestFinished(async () => {
    await index.close();
    await store.close();
    globalThis.assayIndex = undefined;
    globalThis.assayAnnotationStore = undefined;
  });
  signIn(ADA);
  const id = await start();
  expect(await send(id)).toEqual({ status: "done" });
  const own = await checkImport(id);
  expect(own).toMatchObject({ nTrials: 1 });

  for (const other of [EVE, null]) {
    signIn(other);
    for (const ask of [send, checkImport, applyImport])
      expect(await ask(id)).toEqual(await ask("3b9dd0a4-8e0a-4dd1-9a3b-0f5b6f4a7c11"));
  }
  // The others neither added to it nor ended it.
  signIn(ADA);
  expect(await checkImport(id)).toEqual(own);

  signIn(null);
  const typed = await start();
  expect(await send(typed)).toEqual({ status: "done" });
  expect(await checkImport(typed)).toEqual(own);
});
