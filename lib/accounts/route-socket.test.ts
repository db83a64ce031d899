import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";

import { expect, it, onTestFinished } from "vitest";

import { freshSqlite } from "@/lib/database/postgres.fixture";
import { type Role, ROLES } from "@/lib/domain/account";
import { prepareAnswer } from "@/lib/launch/answer-request";
import { prepareFilesOrigin } from "@/lib/launch/files-origin";
import { prepareGuard } from "@/lib/launch/guard-request";
import { createHttpServer } from "@/lib/launch/http-server";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";
import { Random } from "@/lib/testing/random";

import { addAccount, COMMAND_LINE, createToken, openTeam } from "./index";
import { ROUTE_ROLES } from "./permissions";
import { findServed, listTargets, mayOpen } from "./served-route.fixture";
import { openAccountStore } from "./store";

/** A server with one account a role, whose pages answer with what they were asked for. */
async function open() {
  const store = openAccountStore(freshSqlite());
  const tokens = new Map<Role, string>();
  for (const role of ROLES) {
    const account = await addAccount(
      store,
      { name: `A ${role}`, role, password: "quite a long one" },
      COMMAND_LINE,
    );
    const by = { account, address: "192.0.2.7" };
    tokens.set(role, await createToken(store, { label: "test", role, days: 1 }, by));
  }
  const team = await openTeam(store);
  if (team === null) throw new Error("there are no accounts");
  const files = prepareFilesOrigin({ basePath: "", origin: null, secret: team.secret, isBehindProxy: false });
  const server = createHttpServer(
    files.find,
    prepareAnswer({
      basePath: "",
      guard: prepareGuard({ listensOn: "127.0.0.1" }),
      files,
      door: { team, actions: new Map(), isBehindProxy: false },
      ownKey: "",
      getHandler: () => (request, response) => {
        response.end(`served ${request.url ?? ""}`);
        return Promise.resolve();
      },
    }),
  );
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  onTestFinished(async () => {
    server.close();
    await store.close();
  });
  const { port } = server.address() as AddressInfo;
  /** Sends a target byte for byte, and returns what the pages were asked for; null if it did not reach them. */
  return async (target: string, role: Role | null): Promise<string | null> => {
    const token = role === null ? "" : `Authorization: Bearer ${tokens.get(role) ?? ""}\r\n`;
    const socket = connect(port, "127.0.0.1");
    socket.end(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${token}Connection: close\r\n\r\n`, "latin1");
    return /^HTTP\/1\.1 200 .*\r\n\r\nserved (.*)$/s.exec(await text(socket))?.[1] ?? null;
  };
}

it("lets nobody reach a page above their role, whatever bytes the request line has", async () => {
  const ask = await open();
  const random = new Random("targets");
  const askers = [null, ...ROLES];
  const share = IS_LONG_RUN ? 0.02 : 0.000_4;
  const targets = [...listTargets()].filter(() => random.chance(share));
  // What a lenient reader takes for the end of a path.
  for (const route of ["/accounts", "/accounts/audit", "/accounts/audit.csv"])
    for (const end of [
      "#",
      "#x",
      "%23",
      ";",
      "?",
      "?#",
      "%00",
      "\\",
      "/./",
      "/../accounts",
      "%2f",
      "//",
      "|",
      "\t",
    ])
      targets.push(route + end);
  let nServed = 0;
  for (const target of targets)
    for (const role of askers) {
      const served = await ask(target, role);
      if (served === null) continue;
      nServed++;
      const route = findServed(served.split(/[?#]/, 1)[0] ?? "");
      const least = route === null ? "anyone" : (ROUTE_ROLES[route] ?? "anyone");
      expect(mayOpen(role, least), `${String(role)} reached ${served} by ${JSON.stringify(target)}`).toBe(
        true,
      );
    }
  expect(nServed).toBeGreaterThan(targets.length / 100);
  for (const role of askers)
    for (const [route, least] of Object.entries(ROUTE_ROLES)) {
      const path = route.replaceAll(/\[[^\]]+\]/g, "a");
      expect(await ask(path, role), `${String(role)} ${path}`).toBe(mayOpen(role, least) ? path : null);
    }
});
