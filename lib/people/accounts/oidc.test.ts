import { beforeAll, afterAll, afterEach, expect, it } from "vitest";

import { type Account, type Role } from "@/lib/core/domain/account";
import { ConflictError, ValidationError } from "@/lib/core/domain/app-error";
import { describeEngines, freshSqlite } from "@/lib/store/database/postgres.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import { hashPassword } from "./account-names";
import { insertAccount } from "./accounts";
import { ask } from "./ask.fixture";
import {
  type AccountStore,
  changeAccount,
  COMMAND_LINE,
  disconnect,
  findAccount,
  invite,
  isConnected,
  listAccounts,
  listEvents,
  listInvitations,
  openProvider,
  openTeam,
  readOidcSettings,
  type Team,
} from "./index";
import { OIDC_CALLBACK, OIDC_PATH } from "./oidc";
import { begin, type Beginning, comeBack, whoIs } from "./oidc-browser.fixture";
import { type RunningProvider, signInAtProvider, startOidcProvider } from "./oidc-provider.fixture";
import { openAccountStore } from "./store";

const HASH = hashPassword("correct horse");

const verified = (name: string, email: string, ...groups: readonly string[]) => ({
  ...{ name, email, groups },
  email_verified: true,
});

let provider: RunningProvider;
beforeAll(async () => {
  provider = await startOidcProvider({
    ada: verified("Ada Example", "ada@example.org", "bench-admins", "everybody"),
    ben: verified("Ben Example", "ben@example.org", "everybody"),
    other: verified("Ben Example", "other.ben@example.org"),
    cleo: { ...verified("Cleo", "cleo@example.org"), email_verified: false },
    eve: verified("Eve", "eve@elsewhere.example"),
    mixed: verified("Bеn Example", "mixed@example.org"),
    latin: verified("scope", "latin@example.org"),
    cyrillic: verified("ѕсоре", "cyrillic@example.org"),
  });
});
afterAll(() => provider.close());
afterEach(() => {
  provider.faults = {};
});

const settingsOf = (more: Readonly<Record<string, string>> = {}) =>
  readOidcSettings({ ...provider.environment, ...more });

async function openGuarded(
  store: AccountStore,
  more: Readonly<Record<string, string>> = {},
  hasPasswords = true,
): Promise<Team> {
  const team = await openTeam(store, { hasPasswords, oidc: settingsOf(more) });
  if (team === null) throw new Error("there is a provider, and nobody has to sign in");
  return team;
}

async function addQuickly(store: AccountStore, name: string, role: Role = "admin"): Promise<Account> {
  const passwordHash = await HASH;
  return store.write(({ db }) => insertAccount(db, { name, role, passwordHash }));
}

/** A user who makes changes from an address. */
const by = (account: Account) => ({ account, address: "192.0.2.7" });

/** The whole way. */
async function signIn(
  team: Team,
  login: string | null,
  beginning: Beginning = {},
  account: Account | null = null,
) {
  const { location, cookie } = await begin(team, beginning, account);
  return comeBack(team, { url: await signInAtProvider(location, login), cookie }, account);
}

describeEngines("signing in with OpenID Connect", (engine) => {
  const open = async () => openAccountStore(await engine.freshTarget());

  it("makes an account with the role of the groups, signs in to the same one again, and follows the groups", async () => {
    const store = await open();
    const team = await openGuarded(store, {
      ASSAY_OIDC_ROLES: "admin=bench-admins;reviewer=everybody",
    });
    expect(await team.hasAdmin()).toBe(true);
    const first = await signIn(team, "ada", { to: "/jobs/a?tab=log" });
    expect([first.status, first.location]).toEqual([303, "/jobs/a?tab=log"]);
    expect(first.set.join("\n")).toMatch(/session_token=.*HttpOnly.*SameSite=Lax/);
    expect(await whoIs(team, first.cookie)).toMatchObject({ name: "Ada Example", role: "admin" });
    const ben = await signIn(team, "ben");
    expect(await whoIs(team, ben.cookie)).toMatchObject({ name: "Ben Example", role: "reviewer" });
    // Another one of that name is another account.
    expect(await whoIs(team, (await signIn(team, "other")).cookie)).toBe("refused");

    const { people } = provider;
    const before = people["ben"] ?? {};
    people["ben"] = { ...before, groups: [], email: "ben@married.example", name: "Ben Married" };
    const again = await signIn(team, "ben");
    people["ben"] = before;
    expect(await whoIs(team, again.cookie)).toMatchObject({ name: "Ben Example", role: "viewer" });
    const ada = people["ada"] ?? {};
    people["ada"] = { ...ada, groups: [] };
    const last = await signIn(team, "ada");
    people["ada"] = ada;
    // Without her, no one could admit anyone.
    expect(await whoIs(team, last.cookie)).toMatchObject({ role: "admin" });
    expect((await listAccounts(store)).map(({ name }) => name)).toEqual(["Ada Example", "Ben Example"]);
    const log = await listEvents(store, { before: null, limit: 20 });
    expect(log.map(({ accountName, outcome, detail }) => [accountName, outcome, detail])).toEqual([
      ["Ada Example", "allowed", "With Example Login"],
      ["Ben Example", "allowed", "With Example Login: viewer instead of reviewer"],
      [null, "refused", expect.stringMatching(/^With Example Login: .*other\.ben@example\.org/)],
      ["Ben Example", "allowed", "With Example Login: new account, reviewer, ben@example.org"],
      ["Ada Example", "allowed", "With Example Login: new account, admin, ada@example.org"],
    ]);
    expect(JSON.stringify(log)).not.toContain(provider.environment["ASSAY_OIDC_CLIENT_SECRET"]);
    await store.close();
  });

  itLong(engine.name === "sqlite")(
    "lets in new people as the settings say, or with an invitation alone, once",
    async () => {
      const store = await open();
      const admin = await addQuickly(store, "Admin");
      const closed = await openGuarded(store);
      expect((await signIn(closed, "ben")).location).toBe("/sign-in?problem=uninvited");
      const invitation = await invite(store, { role: "adjudicator" }, { account: admin, address: "" });
      const invited = await signIn(closed, "ben", { invitation });
      expect(await whoIs(closed, invited.cookie)).toMatchObject({ role: "adjudicator" });
      expect((await signIn(closed, "eve", { invitation })).location).toBe("/sign-in?problem=invitation");
      expect(await listInvitations(store)).toEqual([]);
      const opened = await openGuarded(store, { ASSAY_OIDC_NEW_PEOPLE: "viewer" });
      expect(await whoIs(opened, (await signIn(opened, "eve")).cookie)).toMatchObject({ role: "viewer" });
      // The name is another's who came from there too.
      const namesake = await signIn(opened, "other");
      expect(await whoIs(opened, namesake.cookie)).toMatchObject({
        name: "other.ben@example.org (Ben Example)",
      });
      await store.close();
    },
  );

  it("gives no one a name that looks like another's", async () => {
    const store = await open();
    const scope = await addQuickly(store, "scope");
    const team = await openGuarded(store, { ASSAY_OIDC_NEW_PEOPLE: "viewer" });
    // Its owner may be this person.
    expect((await signIn(team, "cyrillic")).location).toBe("/sign-in?problem=name");
    await store.write(({ db }) =>
      db.updateTable("user").set({ name: "Sam", username: "sam" }).where("id", "=", scope.id).execute(),
    );
    for (const [login, name] of [
      ["ben", "Ben Example"],
      ["mixed", "mixed@example.org"],
      ["latin", "scope"],
      ["cyrillic", "cyrillic@example.org"],
    ] as const)
      expect(await whoIs(team, (await signIn(team, login)).cookie), login).toMatchObject({ name });
    await store.close();
  });

  it("takes no account over by name or e-mail address, and connects one only while it is signed in", async () => {
    const store = await open();
    const ben = await addQuickly(store, "Ben Example");
    const team = await openGuarded(store, { ASSAY_OIDC_NEW_PEOPLE: "viewer" });
    expect((await signIn(team, "ben")).location).toBe("/sign-in?problem=name");
    expect((await begin(team, { connect: true })).status).toBe(401);
    // A token that got into wrong hands.
    const byToken = await begin(team, { connect: true }, ben, { authorization: "Bearer assay_x" });
    expect(byToken.status).toBe(401);
    const { location, cookie } = await begin(team, { connect: true, to: "/account" }, ben);
    const url = await signInAtProvider(location, "ben");
    // Signed out meanwhile, or signed in as another user.
    const eve = await addQuickly(store, "Eve Example");
    for (const other of [null, eve])
      expect((await comeBack(team, { url, cookie }, other)).location).toBe("/account?problem=expired");
    expect(await isConnected(store, settingsOf() ?? never(), ben.id)).toBe(false);
    expect((await signIn(team, "ben", { connect: true, to: "/account" }, ben)).location).toBe("/account");
    expect(await isConnected(store, settingsOf() ?? never(), ben.id)).toBe(true);
    expect(await whoIs(team, (await signIn(team, "ben")).cookie)).toEqual(ben);
    expect((await signIn(team, "ben", { connect: true }, eve)).location).toBe("/account?problem=connected");
    expect((await signIn(team, "other", { connect: true }, ben)).location).toBe("/account?problem=connected");
    // Once more in another window.
    for (let n = 0; n < 2; n++) await disconnect(store, settingsOf() ?? never(), by(ben));
    const log = await listEvents(store, { before: null, limit: 50 });
    expect(log.filter(({ action }) => action === "disconnect")).toHaveLength(1);
    expect((await signIn(team, "ben")).location).toBe("/sign-in?problem=name");
    // Now with the person that was meant, whom nothing else lets in.
    expect((await signIn(team, "other", { connect: true, to: "/account" }, ben)).location).toBe("/account");
    await signIn(team, "eve");
    const only = await findAccount(store, "Eve");
    await expect(disconnect(store, settingsOf() ?? never(), by(only))).rejects.toThrow(ConflictError);
    expect(await isConnected(store, settingsOf() ?? never(), only.id)).toBe(true);
    await store.close();
  });

  itLong(engine.name === "sqlite")(
    "refuses what is not proven, too late, of another browser, unverified, of another domain or blocked",
    async () => {
      const store = await open();
      await addQuickly(store, "Admin");
      const team = await openGuarded(store, {
        ASSAY_OIDC_NEW_PEOPLE: "viewer",
        ASSAY_OIDC_DOMAINS: "example.org",
      });
      const problemOf = async (
        work: Promise<{ readonly location: string | null; readonly cookie: string }>,
      ) => {
        const { location, cookie } = await work;
        expect(cookie).toBe("");
        return /problem=(\w+)/.exec(location ?? "")?.[1];
      };
      const past = Math.floor(Date.now() / 1000) - 3600;
      for (const [faults, problem] of [
        [{ claims: { nonce: "another" } }, "rejected"],
        [{ claims: { nonce: undefined } }, "rejected"],
        [{ claims: { aud: "another" } }, "rejected"],
        [{ claims: { iss: "https://another.example" } }, "rejected"],
        [{ isForged: true }, "rejected"],
        [{ claims: { exp: past } }, "clock"],
        [{ hasStaleCodes: true }, "expired"],
      ] as const) {
        provider.faults = faults;
        expect(await problemOf(signIn(team, "ben")), JSON.stringify(faults)).toBe(problem);
      }
      provider.faults = {};
      expect(await problemOf(signIn(team, null))).toBe("denied");
      expect(await problemOf(signIn(team, "cleo"))).toBe("unverified");
      expect(await problemOf(signIn(team, "eve"))).toBe("domain");
      expect((await listAccounts(store)).map(({ name }) => name)).toEqual(["Admin"]);

      const { location, cookie } = await begin(team, { to: "/jobs" });
      const url = await signInAtProvider(location, "ben");
      const otherState = url.replace(/state=[^&]+/, "state=another");
      expect(await problemOf(comeBack(team, { url: otherState, cookie }))).toBe("expired");
      expect(await problemOf(comeBack(team, { url, cookie: "" }))).toBe("expired");
      const others = await begin(team);
      expect(await problemOf(comeBack(team, { url, cookie: others.cookie }))).toBe("expired");
      // Not as an image or in a frame.
      const framed = await comeBack(team, { url, cookie }, null, { "sec-fetch-dest": "iframe" });
      expect([framed.status, framed.cookie]).toEqual([403, ""]);
      const inTime = await comeBack(team, { url, cookie }, null, {
        "sec-fetch-dest": "document",
        "sec-fetch-site": "cross-site",
      });
      expect(inTime.location).toBe("/jobs");
      // A code is good once.
      expect(await problemOf(comeBack(team, { url, cookie }))).toBe("expired");

      const account = (await listAccounts(store)).find(({ name }) => name === "Ben Example");
      await changeAccount(store, account?.id ?? "", { isBlocked: true }, COMMAND_LINE);
      expect(await whoIs(team, inTime.cookie)).toBe("refused");
      expect(await problemOf(signIn(team, "ben"))).toBe("blocked");
      const [newest] = await listEvents(store, { before: null, limit: 1 });
      expect(newest).toMatchObject({ accountName: "Ben Example", outcome: "refused" });
      const wrong = await openGuarded(store, { ASSAY_OIDC_CLIENT_SECRET: "wrong" });
      expect(await problemOf(signIn(wrong, "ben"))).toBe("client");
      await store.close();
    },
  );
});

function never(): never {
  throw new Error("there are no settings");
}

it("leads back to pages of this server alone", async () => {
  const store = openAccountStore(freshSqlite());
  const team = await openGuarded(store, { ASSAY_OIDC_NEW_PEOPLE: "viewer" });
  for (const to of [
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "https://evil.example",
  ])
    expect((await signIn(team, "ben", { to })).location, to).toBe("/");
  await store.close();
});

it("takes no password where these are off, and nothing about a provider where there is none", async () => {
  const store = openAccountStore(freshSqlite());
  await addQuickly(store, "Admin");
  const may = async (team: Team | null, url: string, method = "POST") =>
    (await team?.admit(ask(url, { method })))?.kind === "admitted";
  const withProvider = await openGuarded(store, {}, false);
  expect(await may(withProvider, "/api/auth/sign-in/username")).toBe(false);
  expect(await may(withProvider, OIDC_PATH)).toBe(true);
  expect(await may(withProvider, OIDC_CALLBACK, "GET")).toBe(true);
  // The callback is the one address below it that a browser comes to from elsewhere.
  expect(await may(withProvider, OIDC_PATH, "GET")).toBe(false);
  expect(await may(withProvider, OIDC_CALLBACK)).toBe(false);
  expect(await may(withProvider, "/api/auth/begin-session")).toBe(false);
  const without = await openTeam(store);
  expect(await may(without, "/api/auth/sign-in/username")).toBe(true);
  expect(await may(without, OIDC_PATH)).toBe(false);
  expect(await may(without, OIDC_CALLBACK, "GET")).toBe(false);
  await store.close();
});

it("names the problem of a missing provider and of an invalid URL", async () => {
  const probe = (issuer: string) =>
    openProvider(settingsOf({ ASSAY_OIDC_ISSUER: issuer }) ?? never()).probe();
  expect(await probe(provider.issuer)).toEqual({ ok: true });
  expect(await probe(`${provider.issuer}/.well-known/openid-configuration`)).toEqual({ ok: true });
  expect(await probe(`${provider.issuer}/realms/none`)).toMatchObject({ ok: false, isReached: true });
  expect(await probe(provider.issuer.replace("localhost", "127.0.0.1"))).toMatchObject({
    ...{ ok: false, isReached: true },
    remedy: expect.stringContaining("ASSAY_OIDC_ISSUER") as unknown,
  });
  const gone = await startOidcProvider({});
  await gone.close();
  expect(await probe(gone.issuer)).toMatchObject({ ok: false, isReached: false });
  const store = openAccountStore(freshSqlite());
  const team = await openGuarded(store, { ASSAY_OIDC_ISSUER: gone.issuer });
  const { status, text } = await begin(team);
  expect([status, JSON.parse(text)]).toEqual([502, { problem: "unreachable" }]);
  await store.close();
});

it.each([
  ["ASSAY_OIDC_ISSUER", { ASSAY_OIDC_ISSUER: "http://login.example" }],
  ["ASSAY_OIDC_ISSUER", { ASSAY_OIDC_ISSUER: "login.example" }],
  ["ASSAY_OIDC_CLIENT_ID", { ASSAY_OIDC_CLIENT_ID: "" }],
  ["ASSAY_OIDC_CLIENT_ID", { ASSAY_OIDC_ISSUER: "" }],
  ["ASSAY_OIDC_CLIENT_SECRET", { ASSAY_OIDC_CLIENT_SECRET: "" }],
  ["ASSAY_OIDC_CLIENT_SECRET_FILE", { ASSAY_OIDC_CLIENT_SECRET: "", ASSAY_OIDC_CLIENT_SECRET_FILE: "/none" }],
  ["ASSAY_OIDC_DOMAINS", { ASSAY_OIDC_DOMAINS: "example.org, example.net" }],
  ["ASSAY_OIDC_ROLES", { ASSAY_OIDC_ROLES: "owner=bench" }],
  ["ASSAY_OIDC_ROLES", { ASSAY_OIDC_ROLES: "admin" }],
  ["ASSAY_OIDC_NEW_PEOPLE", { ASSAY_OIDC_NEW_PEOPLE: "everybody" }],
  ["ASSAY_OIDC_SECRET", { ASSAY_OIDC_SECRET: "typed-wrong" }],
] as const)("names %s when it is wrong, and never the secret", (variable, environment) => {
  const given = { ...provider.environment, ...environment };
  expect(() => readOidcSettings(given)).toThrow(ValidationError);
  expect(() => readOidcSettings(given)).toThrow(new RegExp(`^${variable} `));
  expect(() => readOidcSettings(given)).not.toThrow(/not-to-be-shown|typed-wrong/);
});

it("wants a provider where passwords are off", () => {
  expect(() => readOidcSettings({ ASSAY_PASSWORDS: "off" })).toThrow(ValidationError);
  expect(readOidcSettings({})).toBeNull();
});
