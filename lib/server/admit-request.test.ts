import { IncomingMessage } from "node:http";
import { Socket } from "node:net";

import { expect, it } from "vitest";

import type { Team } from "@/lib/people/accounts";

import { admitRequest } from "./admit-request";

it("tells a client that makes too many changes when to try again", async () => {
  const refused = { kind: "refused", status: 429, message: "Too many.", retryAfterSeconds: 17 } as const;
  const team: Team = {
    secret: "",
    hasAdmin: () => Promise.resolve(true),
    admit: () => Promise.resolve(refused),
    answer: () => Promise.resolve(new Response()),
    flushLog: () => Promise.resolve(),
  };
  const request = new IncomingMessage(new Socket());
  const door = { team, actions: new Map<string, string>(), isBehindProxy: false };
  expect(await admitRequest(door, request, { path: "/", query: "" })).toMatchObject({
    status: 429,
    headers: { "retry-after": "17", "cache-control": "no-store" },
  });
});
