import { connect } from "node:net";
import { text } from "node:stream/consumers";

import { expect, it } from "vitest";

import { type Role, ROLES } from "@/lib/core/domain/account";
import { startDoor } from "@/lib/server/door.fixture";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";
import { Random } from "@/lib/testing/random";

import { ROUTE_ROLES } from "./permissions";
import { ASKERS, findServed, listTargets, mayOpen } from "./served-route.fixture";

/** Starts a server with an account of each role. */
async function open() {
  const { port, reached, signInAll } = await startDoor("", false);
  const cookies = await signInAll();
  /** Sends a target byte for byte, and returns what the pages were asked for; null if it did not reach them. */
  return async (target: string, role: Role | null): Promise<string | null> => {
    const cookie = role === null ? "" : `Cookie: ${cookies[role]}\r\n`;
    // Left open: a server may take its end for a client that went away.
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `GET ${target} HTTP/1.1\r\nHost: assay.example\r\n${cookie}Connection: close\r\n\r\n`,
      "latin1",
    );
    const isServed = (await text(socket)).startsWith("HTTP/1.1 200 ");
    return isServed ? (reached.at(-1)?.url ?? null) : null;
  };
}

it("lets no one reach a page above their role, for any bytes in the request line", async () => {
  const ask = await open();
  const random = new Random("targets");
  const share = IS_LONG_RUN ? 0.02 : 0.000_4;
  const targets = [...listTargets()].filter(() => random.chance(share));
  // Characters that a lenient reader takes for the end of a path.
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
    for (const role of ASKERS) {
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
  for (const role of [null, ...ROLES])
    for (const [route, least] of Object.entries(ROUTE_ROLES)) {
      const path = route.replaceAll(/\[[^\]]+\]/g, "a");
      expect(await ask(path, role), `${String(role)} ${path}`).toBe(mayOpen(role, least) ? path : null);
    }
});
