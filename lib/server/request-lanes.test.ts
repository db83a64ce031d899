import { once } from "node:events";
import { Agent, type IncomingMessage, request as send, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { expect, it, onTestFinished, vi } from "vitest";

import { findBusyRoute } from "@/lib/people/accounts";
import { getVisibility } from "@/lib/store/visibility";

import type { Door } from "./admit-request";
import { type Handler, prepareAnswer } from "./answer-request";
import { prepareFilesOrigin } from "./files-origin";
import { prepareGuard } from "./guard-request";
import { createHttpServer } from "./http-server";

const JOB = "/jobs/a";
const LIST = "/trials?q=t";

/** Admits everyone as the account named by a token, which cannot see the folder of that name. */
const DOOR: Door = {
  actions: new Map(),
  isBehindProxy: false,
  team: {
    secret: "",
    hasAdmin: () => Promise.resolve(true),
    flushLog: () => Promise.resolve(),
    admit: ({ headers }) => {
      const name = headers.authorization ?? "";
      const account = { id: name, name, role: "viewer" } as const;
      return Promise.resolve({ kind: "admitted", account, cookies: [], hidden: [`/of/${name}`] });
    },
    answer: () => Promise.reject(new Error("not asked")),
  },
};

/** Serves pages that each wait to be answered by `finish`. */
async function open(door: Door | null = null) {
  const atWork: { readonly url: string; readonly asker: string | null; readonly finish: () => void }[] = [];
  const handle: Handler = (request, response) => {
    const { asker, hidden } = getVisibility();
    if (asker !== null) expect(hidden).toEqual([`/of/${asker}`]);
    atWork.push({ url: request.url ?? "", asker, finish: () => void response.end(asker ?? request.url) });
    return Promise.resolve();
  };
  const files = prepareFilesOrigin({ basePath: "", origin: null, secret: null, isBehindProxy: false });
  const server = createHttpServer(
    files.find,
    prepareAnswer({
      basePath: "",
      guard: prepareGuard({ listensOn: "127.0.0.1" }),
      files,
      door,
      ownKey: "",
      getHandler: () => handle,
      nameRoute: findBusyRoute,
    }),
  );
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  const agent = new Agent();
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const ask = (path: string, account = "", action: Readonly<Record<string, string>> | null = null) => {
    const method = action === null ? "GET" : "POST";
    const headers = { authorization: account, "content-type": "text/plain", ...action };
    const request = send({ port, path, agent, method, headers }).end(action === null ? "" : "[]");
    const answer = new Promise<IncomingMessage>((settle, reject) => {
      request.once("response", settle).once("error", reject);
    });
    answer.catch(() => undefined);
    return { request, answer };
  };
  const urls = () => atWork.map(({ url }) => url);
  return { ask, atWork, urls, server };
}

it("handles one request per client and route at a time, in parallel with other routes", async () => {
  const { ask, atWork, urls } = await open();
  const lists = Array.from({ length: 10 }, (_, n) => ask(`${LIST}&page=${n}`));
  await vi.waitFor(() => expect(urls()).toHaveLength(1));
  const job = ask(JOB);
  await vi.waitFor(() => expect(urls()).toContain(JOB));
  expect(urls().filter((url) => url.startsWith("/trials"))).toHaveLength(1);
  atWork.find(({ url }) => url === JOB)?.finish();
  expect(await text(await job.answer)).toBe(JOB);
  for (let n = 1; n <= lists.length; n++) {
    await vi.waitFor(() => expect(urls().filter((url) => url.startsWith("/trials"))).toHaveLength(n));
    atWork.findLast(({ url }) => url.startsWith("/trials"))?.finish();
  }
  const answers = await Promise.all(lists.map(async ({ answer }) => (await answer).statusCode));
  expect(answers).toEqual(lists.map(() => 200));
});

it("tells a client with too many requests that it should wait", async () => {
  const { ask, urls } = await open();
  const asked = Array.from({ length: 40 }, () => ask(LIST));
  const refused = await Promise.any(asked.map(({ answer }) => answer));
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect(urls()).toEqual([LIST]);
});

it("does not hold back the action that an action is forwarded to", async () => {
  const { ask, urls } = await open();
  ask("/annotations/queues/q", "", { "next-action": "a" });
  await vi.waitFor(() => expect(urls()).toEqual(["/annotations/queues/q"]));
  ask("/annotations/queues/new", "", { "next-action": "a", "x-action-forwarded": "1" });
  await vi.waitFor(() => expect(urls()).toContain("/annotations/queues/new"));
});

it("forgets a request whose client went away", async () => {
  const { ask, atWork, urls } = await open();
  const first = ask(`${LIST}&page=1`);
  await vi.waitFor(() => expect(urls()).toHaveLength(1));
  const gone = Array.from({ length: 12 }, () => ask(`${LIST}&page=2`));
  const last = ask(`${LIST}&page=3`);
  for (const { request } of gone) request.destroy();
  atWork[0]?.finish();
  await first.answer;
  await vi.waitFor(() => expect(urls()).toContain(`${LIST}&page=3`));
  atWork.at(-1)?.finish();
  expect(await text(await last.answer)).toBe(`${LIST}&page=3`);
  expect(urls().filter((url) => url.endsWith("=2")).length).toBeLessThanOrEqual(1);
});

it("serves streams and files in parallel", async () => {
  const { ask, urls } = await open();
  for (const path of ["/api/events", "/api/artifacts/a/b/c", "/_next/static/a.js"])
    for (let n = 0; n < 3; n++) ask(path);
  await vi.waitFor(() => expect(urls()).toHaveLength(9));
});

it("gives each account its own lane and each request the visibility of its own account", async () => {
  const { ask, atWork } = await open(DOOR);
  const names = ["ann", "bob", "cid"];
  const asked = names.flatMap((name) =>
    Array.from({ length: 8 }, async () => [name, await text(await ask(LIST, name).answer)]),
  );
  for (let round = 1; round <= 8; round++) {
    await vi.waitFor(() => expect(atWork).toHaveLength(names.length * round));
    const working = atWork.slice(-names.length);
    expect(working.map(({ asker }) => asker).toSorted()).toEqual(names);
    for (const { finish } of working) finish();
  }
  for (const [name, answer] of await Promise.all(asked)) expect(answer).toBe(name);
});

it("gives no turn to a client that went away while its account was looked up", async () => {
  const { promise: known, resolve: find } = Promise.withResolvers<unknown>();
  const { promise: left, resolve: leave } = Promise.withResolvers<unknown>();
  const admit: Door["team"]["admit"] = async (request) => {
    if (request.target.query === "gone") await known;
    return DOOR.team.admit(request);
  };
  const { ask, atWork, server } = await open({ ...DOOR, team: { ...DOOR.team, admit } });
  server.once("request", (_, response: ServerResponse) => response.once("close", leave));
  const { request } = ask("/trials?gone", "ann");
  await once(server, "request");
  request.destroy();
  await left;
  find(null);
  const next = ask(LIST, "ann");
  await vi.waitFor(() => expect(atWork.map(({ url }) => url)).toContain(LIST));
  atWork.at(-1)?.finish();
  expect(await text(await next.answer)).toBe("ann");
});
