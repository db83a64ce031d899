import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";

import { planRuns } from "@/lib/testing/plan-runs";

import { createHttpServer } from "./http-server";
import { receiveChange } from "./receive-change";

let server: Server;
let url: string;

/** Answers with the body as it would be read behind the check, or with the refusal. */
beforeAll(async () => {
  server = createHttpServer(
    () => null,
    (request, response) => {
      void receiveChange(request).then(async (received) => {
        if (!received.ok) response.writeHead(received.refusal.status).end(received.refusal.message);
        else {
          const { method, url: address, headers } = received.request;
          const echo = JSON.stringify([method, address, headers["next-action"]]);
          response.writeHead(200, { echo }).end(await text(received.request));
        }
      });
    },
  );
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/jobs/x?tab=trials`;
});

afterAll(() => void server.close());

const HEADERS = { "next-action": "a1", "content-type": "text/plain;charset=UTF-8" };

function send(body: BodyInit, headers: Record<string, string> = HEADERS, method = "POST"): Promise<Response> {
  return fetch(url, { method, headers, body });
}

it("passes on a page's request, byte for byte", async () => {
  const plain = fc.jsonValue({ maxDepth: 6 }).filter((value) => !/"\$(?!\$)/.test(JSON.stringify(value)));
  await fc.assert(
    fc.asyncProperty(fc.array(plain), async (list) => {
      const body = JSON.stringify(list);
      const answer = await send(body);
      expect([answer.status, await answer.text()]).toEqual([200, body]);
      expect(answer.headers.get("echo")).toBe(JSON.stringify(["POST", "/jobs/x?tab=trials", "a1"]));
    }),
    planRuns({ short: 50, long: 2_000 }),
  );
});

it("passes on the longest note, and empty values", async () => {
  const body = JSON.stringify([{ notes: "\u0001".repeat(20_000), discipline: "$undefined", price: "$$5" }]);
  expect((await send(body)).status).toBe(200);
});

it.each<[string, number, BodyInit]>([
  ["nothing", 400, ""],
  ["no JSON", 400, "[1,"],
  ["no list", 400, '{"0":1}'],
  ["null", 400, "null"],
  ["a reference", 400, '["$1"]'],
  ["a number of any length", 400, `["$n${"9".repeat(1_000)}"]`],
  ["a type that is not there", 400, '[{"a":["$Zx"]}]'],
  ["no UTF-8", 400, Uint8Array.from([0x5b, 0x22, 0xff, 0x22, 0x5d])],
  ["brackets without end", 400, "[".repeat(100_000) + "]".repeat(100_000)],
  ["objects in objects", 400, `${'{"a":'.repeat(100)}1${"}".repeat(100)}`],
  ["too much", 413, JSON.stringify(["x".repeat(300_000)])],
  ["far too much", 413, JSON.stringify(["x".repeat(20_000_000)])],
])("refuses %s with %i", async (_, status, body) => {
  expect((await send(body)).status).toBe(status);
});

it("rejects requests that no page sends", async () => {
  const form = new FormData();
  form.set("$ACTION_ID_a1", "");
  const answers = await Promise.all([
    fetch(url, { method: "POST", headers: { "next-action": "a1" }, body: form }),
    fetch(url, { method: "POST", body: form }),
    send("[]", { ...HEADERS, "content-type": "application/x-www-form-urlencoded" }),
    send("[]", { "content-type": "text/plain" }),
    send("[]", HEADERS, "PUT"),
    send("[]", HEADERS, "DELETE"),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([415, 405, 415, 405, 405, 405]);
});
