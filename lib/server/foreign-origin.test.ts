import { createServer, type IncomingMessage, request as send, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, expect, it } from "vitest";

import { insertAccount } from "@/lib/people/accounts/accounts";
import { ROUTE_ROLES, SESSION_ROLES } from "@/lib/people/accounts/permissions";
import { type AccountStore, openAccountStore } from "@/lib/people/accounts/store";
import { openTeam } from "@/lib/people/accounts/team";
import { freshSqlite } from "@/lib/store/database/postgres.fixture";

import { prepareAnswer } from "./answer-request";
import { prepareFilesOrigin } from "./files-origin";
import { prepareGuard } from "./guard-request";

let server: Server;
let store: AccountStore;

beforeAll(async () => {
  store = openAccountStore(freshSqlite());
  // No request here gets as far as a password.
  await store.write(({ db }) => insertAccount(db, { name: "Ada", role: "admin", passwordHash: "none" }));
  const team = await openTeam(store);
  if (team === null) throw new Error("there are no accounts");
  server = createServer(
    prepareAnswer({
      basePath: "",
      guard: prepareGuard({ listensOn: "127.0.0.1" }),
      files: prepareFilesOrigin({ basePath: "", origin: null, secret: null, isBehindProxy: false }),
      door: { team, actions: new Map([["id", "saveReview"]]), isBehindProxy: false },
      ownKey: "",
      getHandler: () => (_request, response) => Promise.resolve(void response.end("passed")),
    }),
  );
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
});

afterAll(async () => {
  server.close();
  await store.close();
});

const getPort = () => (server.address() as AddressInfo).port;

async function ask(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const json = { "content-type": "application/json", "next-action": "id" };
  send(
    { port: getPort(), host: "127.0.0.1", method, path, headers: { ...json, ...headers }, agent: false },
    resolve,
  )
    .on("error", reject)
    .end("{}");
  const response = await promise;
  response.resume();
  return response.statusCode ?? 0;
}

const PATHS = [
  ...Object.keys(ROUTE_ROLES).map((route) => route.replaceAll(/\[[^\]]+\]/g, "a")),
  ...Object.keys(SESSION_ROLES).map((name) => name.split(" ")[1] ?? ""),
  "/api/auth/no-such",
  "/no-such-page",
];

it("rejects changes from foreign origins at every URL, with any other headers", async () => {
  const own = `127.0.0.1:${String(getPort())}`;
  const foreign = [
    "http://evil.example",
    `https://${own}`,
    "http://127.0.0.1",
    `http://${own}.`,
    `http://${own}, http://evil.example`,
    `http://[::1]:${String(getPort())}`,
    "null",
    "not an origin",
  ];
  const wrong: string[] = [];
  for (const path of PATHS)
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      for (const [at, origin] of (method === "POST" ? foreign : foreign.slice(0, 2)).entries()) {
        const site = at % 2 === 0 ? {} : { "sec-fetch-site": "same-origin" };
        const status = await ask(method, path, { origin, ...site });
        if (status !== 403) wrong.push(`${method} ${path} from ${origin}: ${String(status)}`);
      }
  expect(wrong).toEqual([]);
});

it("lets its own origin pass to the account check at every address", async () => {
  const origin = `http://127.0.0.1:${String(getPort())}`;
  const statuses = new Set<number>();
  for (const path of PATHS) statuses.add(await ask("POST", path, { origin }));
  expect(statuses).not.toContain(403);
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
});
