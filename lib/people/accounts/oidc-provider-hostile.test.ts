import { generateKeyPairSync, sign } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from "vitest";

import { describeEngines, freshSqlite } from "@/lib/store/database/postgres.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import { type AccountStore, listAccounts, listEvents, openTeam, readOidcSettings, type Team } from "./index";
import { begin, comeBack, whoIs } from "./oidc-browser.fixture";
import {
  DISCOVERY,
  type Faults,
  type HostileProvider,
  signWithPublicKey,
  startHostileProvider,
} from "./oidc-provider-hostile.fixture";
import { openAccountStore } from "./store";

let provider: HostileProvider;
beforeAll(async () => {
  provider = await startHostileProvider();
});
afterAll(() => provider.close());
afterEach(() => {
  provider.faults = {};
});

/** The longest line of the audit log. */
const LONGEST_LINE = 1_000;

async function openGuarded(store: AccountStore, more: Readonly<Record<string, string>> = {}): Promise<Team> {
  const oidc = readOidcSettings({ ...provider.environment, ...more });
  const team = await openTeam(store, { hasPasswords: true, oidc });
  if (team === null) throw new Error("there is a provider, and nobody has to sign in");
  return team;
}

/** Signs in at the provider as it is now. @returns the problem shown on the page, or null, and the session's cookie */
async function signIn(team: Team) {
  const begun = await begin(team);
  if (begun.status !== 200) return { problem: readProblem(begun.text), cookie: begun.cookie };
  const back = await comeBack(team, { url: provider.signIn(begun.location), cookie: begun.cookie });
  return { problem: /problem=(\w+)/.exec(back.location ?? "")?.[1] ?? null, cookie: back.cookie };
}

function readProblem(text: string): string {
  return (JSON.parse(text) as { readonly problem: string }).problem; // As the button reads it.
}

/** Expects that an attack failed, revealed no secret, and left the server unchanged. */
async function expectRefused(store: AccountStore, team: Team, faults: Faults, problem: string) {
  provider.faults = faults;
  expect(await signIn(team)).toEqual({ problem, cookie: "" });
  provider.faults = {};
  expect(await listAccounts(store)).toEqual([]);
  const [newest, ...older] = await listEvents(store, { before: null, limit: 5 });
  expect(newest).toMatchObject({ accountName: null, outcome: "refused" });
  expect(newest?.detail).toMatch(/^With Example Login: /);
  expect(newest?.detail?.length).toBeLessThanOrEqual(LONGEST_LINE);
  expect(JSON.stringify([newest, ...older])).not.toContain("not-to-be-shown");
}

const now = () => Math.floor(Date.now() / 1000);
const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "jwk" });
const MANY = 10 << 20;

/** Nested so deep that a reader that calls itself runs out of stack. */
const nest = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as unknown;

const LIES: readonly (readonly [name: string, faults: () => Faults, problem: string])[] = [
  [
    "another issuer in the discovery document",
    () => ({ discovery: { issuer: "https://other.example" } }),
    "unreachable",
  ],
  ["another issuer in the ID token", () => ({ claims: { iss: "https://other.example" } }), "rejected"],
  ["no issuer in the ID token", () => ({ claims: { iss: undefined } }), "rejected"],
  ["another audience", () => ({ claims: { aud: "other" } }), "rejected"],
  [
    "ours among several audiences, for another party",
    () => ({ claims: { aud: ["assay", "other"], azp: "other" } }),
    "rejected",
  ],
  ["ours among several audiences, for nobody", () => ({ claims: { aud: ["assay", "other"] } }), "rejected"],
  ["an audience within a list within a list", () => ({ claims: { aud: [["assay"]] } }), "rejected"],
  ["an ID token that has expired", () => ({ claims: { exp: now() - 3600 } }), "clock"],
  ["an ID token that is not yet valid", () => ({ claims: { nbf: now() + 3600 } }), "clock"],
  ["an ID token without an end", () => ({ claims: { exp: undefined } }), "rejected"],
  ["an end that is a text", () => ({ claims: { exp: String(now() + 60) } }), "rejected"],
  ["an ID token of the future", () => ({ claims: { iat: now() + 10 * 365 * 86_400 } }), "clock"],
  ["no algorithm", () => ({ header: { alg: "none" }, signature: () => "" }), "rejected"],
  ["no algorithm in other letters", () => ({ header: { alg: "nOnE" }, signature: () => "" }), "rejected"],
  [
    "the public key as a secret",
    () => ({ header: { alg: "HS256" }, signature: signWithPublicKey }),
    "rejected",
  ],
  ["an empty signature", () => ({ signature: () => "" }), "rejected"],
  ["an extension that has to be understood", () => ({ header: { crit: ["exp"] } }), "rejected"],
  [
    "a key of its own within the token",
    () => ({ header: { kid: "two", jwk: stranger }, signature: signWithPublicKey }),
    "rejected",
  ],
  ["an id of no key", () => ({ header: { kid: "two" } }), "rejected"],
  [
    "the id of another key",
    () => ({ keys: [{ ...stranger, kid: "one", use: "sig", alg: "RS256" }] }),
    "rejected",
  ],
  [
    "a key that is for encryption",
    () => ({ keys: [{ ...stranger, kid: "one", use: "enc", alg: "RS256" }] }),
    "rejected",
  ],
  ["keys that are none", () => ({ keys: [{}, { kty: "oct", k: "AAAA", kid: "one" }] }), "rejected"],
  ["the nonce of another sign-in", () => ({ claims: { nonce: "other" } }), "rejected"],
  ["a nonce within a list", () => ({ claims: { nonce: [1] } }), "rejected"],
  ["a list as subject", () => ({ claims: { sub: ["mallory"] } }), "rejected"],
  ["a number as subject", () => ({ claims: { sub: 7 } }), "rejected"],
  ["an empty subject", () => ({ claims: { sub: "" } }), "rejected"],
  ["a subject that no provider may have", () => ({ claims: { sub: "x".repeat(256) } }), "rejected"],
  ["a subject with NUL", () => ({ claims: { sub: "mal\0lory" } }), "rejected"],
  ["a list as address", () => ({ claims: { email: ["mallory@example.org"] } }), "unverified"],
  ["an address that is verified in a number", () => ({ claims: { email_verified: 1 } }), "unverified"],
  ["an address that is verified in a list", () => ({ claims: { email_verified: [true] } }), "unverified"],
  [
    "an address that is not verified in a text",
    () => ({ claims: { email_verified: "false" } }),
    "unverified",
  ],
  [
    "another person's claims",
    () => ({
      claims: { email: undefined },
      userinfo: { sub: "other", email: "a@example.org", email_verified: true },
    }),
    "rejected",
  ],
  ["an ID token that is none", () => ({ token: { id_token: "a.b.c" } }), "rejected"],
  ["no ID token", () => ({ token: { id_token: undefined } }), "rejected"],
  ["an ID token that is a number", () => ({ token: { id_token: 7 } }), "rejected"],
  ["an ID token of nested lists", () => ({ token: { id_token: nest(2_000) } }), "rejected"],
  ["a type of token that there is none of", () => ({ token: { token_type: "mac" } }), "rejected"],
  ["an endpoint in a file", () => ({ discovery: { token_endpoint: "file:///etc/passwd" } }), "unreachable"],
  [
    "a script as the page of its sign-in",
    () => ({ discovery: { authorization_endpoint: "javascript:alert(1)" } }),
    "unreachable",
  ],
  [
    "a page of its sign-in that is no address",
    () => ({ discovery: { authorization_endpoint: "http://" } }),
    "unreachable",
  ],
  [
    "endpoints that are no texts",
    () => ({ discovery: { authorization_endpoint: 7, token_endpoint: ["a"] } }),
    "unreachable",
  ],
  ["10 MB of claims", () => ({ claims: { email: `${"m".repeat(MANY)}@example.org` } }), "unreachable"],
  ["10 MB of discovery", () => ({ discovery: { more: "m".repeat(MANY) } }), "unreachable"],
  [
    "an answer that is no JSON",
    () => ({ answer: { "/token": (response) => response.end("<html>") } }),
    "unreachable",
  ],
  ["an error of 10 MB", () => ({ answer: { "/token": sendError("x".repeat(MANY)) } }), "unreachable"],
  ["an error of any text", () => ({ answer: { "/token": sendError("x".repeat(20_000)) } }), "client"],
];

function sendError(error: string) {
  return (response: ServerResponse): void => {
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  };
}

describeEngines("a provider that lies", (engine) => {
  itLong(engine.name === "sqlite")("lets no one in, creates no account, and logs the reason", async () => {
    const store = openAccountStore(await engine.freshTarget());
    const team = await openGuarded(store);
    for (const [name, faults, problem] of LIES)
      await expectRefused(store, team, faults(), problem).catch((error: unknown) => {
        throw new Error(`${name}: ${error instanceof Error ? error.message : ""}`, { cause: error });
      });
    // The same server and the same provider, when it tells the truth.
    const last = await signIn(team);
    expect(last.problem).toBeNull();
    expect(await whoIs(team, last.cookie)).toMatchObject({ name: "Mallory", role: "viewer" });
    await store.close();
  });
});

it("keeps deep claims from doing harm", async () => {
  const store = openAccountStore(freshSqlite());
  const team = await openGuarded(store);
  provider.faults = { claims: { groups: nest(2_000), address: nest(2_000) } };
  const { cookie } = await signIn(team);
  expect(await whoIs(team, cookie)).toMatchObject({ name: "Mallory", role: "viewer" });
  await store.close();
});

it("asks no other host, wherever an answer redirects to", async () => {
  let nAsked = 0;
  const other = createServer((_, response) => {
    nAsked++;
    response.end();
  });
  await new Promise<void>((listening) => void other.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void other.close());
  const location = `http://127.0.0.1:${String((other.address() as AddressInfo).port)}/`;
  const store = openAccountStore(freshSqlite());
  const team = await openGuarded(store);
  for (const path of [DISCOVERY, "/token", "/jwks", "/userinfo"])
    for (const status of [301, 302, 303, 307, 308]) {
      const claims = path === "/userinfo" ? { email: undefined } : {};
      const redirect = (response: ServerResponse) => void response.writeHead(status, { location }).end();
      await expectRefused(store, team, { claims, answer: { [path]: redirect } }, "unreachable");
    }
  expect(nAsked).toBe(0);
  await store.close();
});

it("knows the new key of a provider that changed it during a session", async () => {
  const store = openAccountStore(freshSqlite());
  const team = await openGuarded(store);
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { location, cookie } = await begin(team);
  provider.faults = {
    header: { kid: "two" },
    keys: [{ ...publicKey.export({ format: "jwk" }), kid: "two", use: "sig", alg: "RS256" }],
    signature: (input) => sign("sha256", Buffer.from(input), privateKey).toString("base64url"),
  };
  const back = await comeBack(team, { url: provider.signIn(location), cookie });
  expect(await whoIs(team, back.cookie)).toMatchObject({ name: "Mallory" });
  await store.close();
});

it("ties an answer to the browser and the sign-in that it was asked for", async () => {
  const store = openAccountStore(freshSqlite());
  const team = await openGuarded(store);
  const [mine, others] = [await begin(team), await begin(team)];
  const [myUrl, otherUrl] = [mine, others].map(({ location }) => new URL(provider.signIn(location)));
  if (myUrl === undefined || otherUrl === undefined) throw new Error("there are two");
  const swapped = new URL(myUrl);
  swapped.searchParams.set("code", otherUrl.searchParams.get("code") ?? "");
  const twice = new URL(myUrl);
  twice.searchParams.append("state", "other");
  for (const [url, cookie, problem] of [
    [otherUrl, mine.cookie, "expired"],
    [myUrl, others.cookie, "expired"],
    // The code of another browser, whose ID token has its nonce.
    [swapped, mine.cookie, "rejected"],
    [twice, mine.cookie, "rejected"],
    [myUrl, "", "expired"],
    [myUrl, mine.cookie.replace(/.$/, (last) => (last === "a" ? "b" : "a")), "expired"],
  ] as const) {
    const back = await comeBack(team, { url: url.href, cookie });
    expect([back.location, back.cookie]).toEqual([`/sign-in?problem=${problem}`, ""]);
  }
  expect(await listAccounts(store)).toEqual([]);
  await store.close();
});

itLong()(
  "waits no longer than its limit for a provider that is silent, trickles or never ends",
  async () => {
    const store = openAccountStore(freshSqlite());
    const team = await openGuarded(store);
    const trickle = (response: ServerResponse): void => {
      response.setHeader("content-type", "application/json").write("{");
      const timer = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(timer));
    };
    const pour = (response: ServerResponse): void => {
      const piece = " ".repeat(1 << 16);
      const write = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.setHeader("content-type", "application/json").on("drain", write);
      write();
    };
    for (const path of [DISCOVERY, "/token", "/jwks"])
      for (const answer of [() => undefined, trickle, pour])
        await expectRefused(store, team, { answer: { [path]: answer } }, "unreachable");
    await store.close();
  },
  120_000,
);
