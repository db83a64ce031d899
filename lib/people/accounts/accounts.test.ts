import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { getMigrations } from "better-auth/db/migration";
import { username } from "better-auth/plugins/username";
import Database from "better-sqlite3";
import { sql } from "kysely";
import { expect, it } from "vitest";

import { type Role, ROLES } from "@/lib/core/domain/account";
import { API_ENDPOINTS } from "@/lib/core/domain/api-endpoints";
import { ConflictError, NotFoundError, ValidationError } from "@/lib/core/domain/app-error";
import { describeEngines, freshSqlite } from "@/lib/store/database/postgres.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import { ask } from "./ask.fixture";
import { recordEvent } from "./audit";
import {
  acceptInvitation,
  addAccount,
  changeAccount,
  COMMAND_LINE,
  createToken,
  invite,
  listAccounts,
  listEvents,
  listInvitations,
  listRefusedActions,
  listTokens,
  openTeam,
  revokeInvitation,
  revokeToken,
  setFolderRole,
} from "./index";
import { ACTION_ROLES, findRouteRole, ROUTE_ROLES } from "./permissions";
import { openSessions } from "./sessions";
import { openAccountStore } from "./store";
import { prepareSessionAnswer, type TeamRequest } from "./team";
import { ADA, addQuickly, by, openGuarded, ORIGIN, signIn, whoIs } from "./team.fixture";

describeEngines("accounts", (engine) => {
  const runs = itLong(engine.name === "sqlite");
  const open = async () => openAccountStore(await engine.freshTarget());

  it("ask for nothing until there is one", async () => {
    const store = await open();
    expect(await openTeam(store)).toBeNull();
    await addQuickly(store, "Ada Example", "viewer");
    const team = await openGuarded(store);
    expect(await team.hasAdmin()).toBe(false);
    await addQuickly(store, "Ben");
    expect(await team.hasAdmin()).toBe(true);
    await store.close();
  });

  runs(
    "see a folder from the role on that an admin chose, at the next request, and every choice is in the log",
    async () => {
      const store = await open();
      const ada = await addQuickly(store, ADA.name);
      await addQuickly(store, "Rae", "reviewer");
      await addQuickly(store, "Vic", "viewer");
      const team = await openGuarded(store);
      const seeing = async (name: string) => {
        const { cookie } = await signIn(team, name, ADA.password);
        return async () => {
          const admission = await team.admit(ask("/", { headers: { cookie } }));
          return admission.kind === "admitted" ? admission.hidden : admission.kind;
        };
      };
      const [hiddenFromAda, hiddenFromRae, hiddenFromVic] = await Promise.all(
        ["Ada Example", "Rae", "Vic"].map(seeing),
      );
      const see = async () => [await hiddenFromAda?.(), await hiddenFromRae?.(), await hiddenFromVic?.()];
      expect(await see()).toEqual([[], [], []]);
      const choose = (address: string, role: Role) => setFolderRole(store, { address, role }, by(ada));
      expect(await choose("/b", "admin")).toBe("viewer");
      expect(await choose("s3://a/b", "reviewer")).toBe("viewer");
      expect(await see()).toEqual([[], ["/b"], ["/b", "s3://a/b"]]);
      expect(await choose("/b", "viewer")).toBe("admin");
      expect(await see()).toEqual([[], [], ["s3://a/b"]]);
      // Pages without a sign-in know of no folder with a role.
      const stranger = await team.admit(ask("/sign-in"));
      expect(stranger).toMatchObject({ kind: "admitted", hidden: ["/b", "s3://a/b"] });
      await expect(choose("/b", "owner" as Role)).rejects.toThrow(ValidationError);
      const log = await listEvents(store, { before: null, limit: 20 });
      expect(log.filter(({ action }) => action === "show folder").map(({ detail }) => detail)).toEqual([
        "/b: admin → viewer",
        "s3://a/b: viewer → reviewer",
        "/b: viewer → admin",
      ]);
      await store.close();
    },
  );

  it("are one for each name, however it is written, and have passwords of some length", async () => {
    const store = await open();
    await addAccount(store, ADA, COMMAND_LINE);
    await expect(addAccount(store, { ...ADA, name: " ada  EXAMPLE " }, COMMAND_LINE)).rejects.toThrow(
      ConflictError,
    );
    // A joiner that some scripts need, and that is invisible here.
    await expect(addAccount(store, { ...ADA, name: "Ada\u200D Example" }, COMMAND_LINE)).rejects.toThrow(
      ConflictError,
    );
    for (const wrong of [
      { name: " " },
      { name: "a\0b" },
      { name: "Oth\u200Ber" },
      { name: "\u202ErehtO" },
      { name: "Command Line" },
      { name: "Ass\u200Day" },
      { name: "Rоb" },
      { name: "田中 Иван" },
      { name: "Ассаy" },
      { name: "аѕѕау" },
      { name: "C0mmand Line" },
      { password: "short" },
      { password: "x".repeat(129) },
    ])
      await expect(addAccount(store, { ...ADA, name: "Other", ...wrong }, COMMAND_LINE)).rejects.toThrow(
        ValidationError,
      );
    expect((await listAccounts(store)).map(({ name, role }) => [name, role])).toEqual([
      ["Ada Example", "admin"],
    ]);
    await store.close();
  });

  it("sign in with the right password alone, and out again", async () => {
    const store = await open();
    const ada = await addQuickly(store, ADA.name);
    const team = await openGuarded(store);
    expect((await signIn(team, "Ada Example", "wrong horse")).status).toBe(401);
    expect((await signIn(team, "Nobody", "correct horse")).status).toBe(401);
    // Servers on one store know each other's sessions and addresses of files.
    expect((await openGuarded(store)).secret).toBe(team.secret);
    const { status, cookie, set } = await signIn(team, "ada example", "correct horse");
    expect(status).toBe(200);
    expect(set.join()).toMatch(/HttpOnly.*SameSite=Lax/);
    expect(await whoIs(team, { cookie })).toEqual(ada);
    expect(await whoIs(team, {})).toBe("refused");
    expect(await whoIs(team, { cookie: cookie.replace(/.\.\w/, "x.y") })).toBe("refused");
    const signOut = { ...ask("/api/auth/sign-out", { method: "POST" }), account: ada, origin: ORIGIN };
    const headers = { cookie, "content-type": "application/json" };
    expect((await team.answer({ ...signOut, headers, body: Buffer.from("{}") })).status).toBe(200);
    expect(await whoIs(team, { cookie })).toBe("refused");
    const log = await listEvents(store, { before: null, limit: 10 });
    expect(log.map(({ accountName, outcome, action }) => [accountName, outcome, action])).toEqual([
      ["Ada Example", "allowed", "POST /api/auth/sign-out"],
      ["Ada Example", "allowed", "POST /api/auth/sign-in/username"],
      [null, "refused", "POST /api/auth/sign-in/username"],
      ["Ada Example", "refused", "POST /api/auth/sign-in/username"],
    ]);
    expect(JSON.stringify(log)).not.toMatch(/horse|Nobody/);
    await store.close();
  });

  runs("are tried ten times a minute from one address, and from others still", async () => {
    const store = await open();
    await addQuickly(store, ADA.name);
    const team = await openGuarded(store);
    expect((await signIn(team, ADA.name, ADA.password)).status).toBe(200);
    const counted = await store.write(({ db }) =>
      sql<{
        count: number;
      }>`update "rateLimit" set "count" = 10 where "count" = 1 returning 1 as count`.execute(db),
    );
    expect(counted.rows).toHaveLength(1);
    expect((await signIn(team, ADA.name, ADA.password)).status).toBe(429);
    expect((await signIn(team, ADA.name, ADA.password, "192.0.2.8")).status).toBe(200);
    await store.close();
  });

  runs("lose their sessions when they are blocked or get another password, and one admin stays", async () => {
    const store = await open();
    const ada = await addQuickly(store, ADA.name);
    const ben = await addQuickly(store, "Ben", "reviewer");
    const team = await openGuarded(store);
    const first = await signIn(team, "Ben", ADA.password);
    await changeAccount(store, ben.id, { isBlocked: true }, COMMAND_LINE);
    expect(await whoIs(team, { cookie: first.cookie })).toBe("refused");
    expect((await signIn(team, "Ben", ADA.password)).status).toBe(403);
    await changeAccount(store, ben.id, { isBlocked: false }, COMMAND_LINE);
    const second = await signIn(team, "Ben", ADA.password);
    expect(await whoIs(team, { cookie: second.cookie })).toMatchObject({ name: "Ben", role: "reviewer" });
    await changeAccount(store, ben.id, { role: "adjudicator" }, COMMAND_LINE);
    expect(await whoIs(team, { cookie: second.cookie })).toMatchObject({ role: "adjudicator" });
    await changeAccount(store, ben.id, { password: "another horse" }, COMMAND_LINE);
    expect(await whoIs(team, { cookie: second.cookie })).toBe("refused");
    expect((await signIn(team, "Ben", "another horse")).status).toBe(200);
    for (const change of [{ role: "viewer" }, { isBlocked: true }] as const)
      await expect(changeAccount(store, ada.id, change, COMMAND_LINE)).rejects.toThrow(ConflictError);
    expect((await signIn(team, ADA.name, ADA.password)).status).toBe(200);
    await store.close();
  });

  it("keep an admin when the last two step down at once", async () => {
    const store = await open();
    const [ada, ben] = [await addQuickly(store, ADA.name), await addQuickly(store, "Ben")];
    for (let round = 0; round < 20; round++) {
      const changes = [ada, ben].map(({ id }) => changeAccount(store, id, { role: "viewer" }, COMMAND_LINE));
      const outcomes = await Promise.allSettled(changes);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      for (const { id } of [ada, ben]) await changeAccount(store, id, { role: "admin" }, COMMAND_LINE);
    }
    await store.close();
  });

  runs("are not entered with a password that is replaced while it is checked", async () => {
    const store = await open();
    const ada = await addQuickly(store, ADA.name);
    const sessions = await openSessions(store, "secret", true);
    const answer = prepareSessionAnswer(
      store,
      {
        ...sessions,
        answer: async (request, isOverTls) => {
          // Between the library's look at the password and its answer.
          const answered = await sessions.answer(request, isOverTls);
          await store.write(({ db }) => db.updateTable("account").set({ password: "another" }).execute());
          return answered;
        },
      },
      null,
      () => Promise.resolve(),
    );
    const enter = () => signIn({ answer }, ADA.name, ADA.password);
    expect(await enter()).toEqual({ status: 401, cookie: "", set: [] });
    const nSessions = () =>
      store.read(-1, async ({ db }) => (await db.selectFrom("session").select("id").execute()).length);
    expect(await nSessions()).toBe(0);
    // A new password ends all other sessions, regardless of the request.
    await changeAccount(store, ada.id, { password: ADA.password }, COMMAND_LINE);
    const team = await openGuarded(store);
    const [own, other] = [
      await signIn(team, ADA.name, ADA.password),
      await signIn(team, ADA.name, ADA.password),
    ];
    const changed = await team.answer({
      ...ask("/api/auth/change-password", { method: "POST" }),
      headers: { "content-type": "application/json", cookie: own.cookie },
      account: ada,
      origin: ORIGIN,
      body: Buffer.from(
        JSON.stringify({
          currentPassword: ADA.password,
          newPassword: "a new horse",
          revokeOtherSessions: false,
        }),
      ),
    });
    expect(changed.status).toBe(200);
    expect(await whoIs(team, { cookie: other.cookie })).toBe("refused");
    await store.close();
  });

  it("come of invitations, each once, until they are revoked", async () => {
    const store = await open();
    const ada = await addQuickly(store, ADA.name);
    const secret = await invite(store, { role: "reviewer", label: " Ben at the lab " }, by(ada));
    const accept = (name: string, of = secret) =>
      acceptInvitation(store, { secret: of, name, password: "another horse" }, "192.0.2.9");
    await expect(accept("Ben", `${secret}x`)).rejects.toThrow(NotFoundError);
    await expect(accept("ADA EXAMPLE")).rejects.toThrow(ConflictError);
    const both = await Promise.allSettled([accept("Ben"), accept("Cleo")]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(accept("Dora")).rejects.toThrow(NotFoundError);
    const other = await invite(store, { role: "admin" }, by(ada));
    const [listed] = await listInvitations(store);
    await revokeInvitation(store, listed?.id ?? "", by(ada));
    await expect(accept("Dora", other)).rejects.toThrow(NotFoundError);
    const accounts = await listAccounts(store);
    expect(accounts.map(({ role }) => role)).toEqual(["admin", "reviewer"]);
    const log = await listEvents(store, { before: null, limit: 10 });
    expect(log.map(({ accountName, address, detail }) => [accountName, address, detail])).toEqual([
      ["Ada Example", "192.0.2.7", "admin, made by Ada Example"],
      ["Ada Example", "192.0.2.7", "admin"],
      [accounts[1]?.name, "192.0.2.9", "new account, reviewer, for Ben at the lab, invited by Ada Example"],
      ["Ada Example", "192.0.2.7", "reviewer, for Ben at the lab"],
    ]);
    await expect(invite(store, { role: "viewer", label: "x".repeat(101) }, by(ada))).rejects.toThrow(
      ValidationError,
    );
    await store.close();
  });

  runs("are changed with one line that says whose and how", async () => {
    const store = await open();
    const ada = await addQuickly(store, ADA.name);
    const rob = await addQuickly(store, "Rob", "reviewer");
    const team = await openGuarded(store);
    const { cookie } = await signIn(team, "Ada Example", ADA.password);
    for (const action of ["changeAccountAction", "takeQueueItem", "saveReview"])
      await team.admit(ask("/", { method: "POST", action, headers: { cookie } }));
    await changeAccount(store, rob.id, { role: "admin" }, by(ada));
    await changeAccount(store, rob.id, { isBlocked: true }, by(ada));
    await changeAccount(store, rob.id, { isBlocked: false }, by(ada));
    await expect(changeAccount(store, "nobody", { role: "admin" }, by(ada))).rejects.toThrow(NotFoundError);
    await createToken(store, { label: "CI", role: "viewer", days: 9 }, by(ada));
    await revokeToken(store, (await listTokens(store, ada.id))[0]?.id ?? "", by(ada));
    const read = async () =>
      (await listEvents(store, { before: null, limit: 20 })).map(
        ({ action, detail }) => `${action} | ${detail ?? ""}`,
      );
    expect(await read()).toEqual([
      "revoke token | CI: viewer",
      "make token | CI: viewer, for 9 days",
      "unblock account | Rob",
      "block account | Rob",
      "change role | Rob: reviewer → admin",
      "saveReview | /",
      "POST /api/auth/sign-in/username | With a password",
    ]);
    await store.close();
  });

  it("have tokens with at most their own role, stored only as hashes", async () => {
    const store = await open();
    const ben = await addQuickly(store, "Ben", "adjudicator");
    await addQuickly(store, "Admin");
    const team = await openGuarded(store);
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const made = { label: "CI", role: "reviewer", days: 1 } as const;
    await expect(createToken(store, { ...made, role: "admin" }, by(ben))).rejects.toThrow(ValidationError);
    const token = await createToken(store, made, by(ben));
    expect(await whoIs(team, bearer(token))).toEqual({ ...ben, role: "reviewer" });
    const act = async (action: string) =>
      (await team.admit(ask("/", { method: "POST", action, headers: bearer(token) }))).kind;
    expect(await act("saveReview")).toBe("admitted");
    // The role is the token's and not that of the person.
    const refused = await team.admit(ask("/accounts", { headers: bearer(token) }));
    const { message } = refused as { readonly message: string };
    expect(message).toContain("this token has the reviewer role");
    expect(message).not.toContain(ben.name);
    // A found token cannot create one that outlasts it.
    expect(await act("createTokenAction")).toBe("refused");
    expect(await whoIs(team, bearer(`${token.slice(0, -1)}_`))).toBe("refused");
    const dump = await store.read("", async ({ db }) =>
      JSON.stringify(await db.selectFrom("api_token").selectAll().execute()),
    );
    expect(dump).not.toContain(token.slice(6));
    await changeAccount(store, ben.id, { role: "viewer" }, COMMAND_LINE);
    expect(await whoIs(team, bearer(token))).toMatchObject({ role: "viewer" });
    await changeAccount(store, ben.id, { isBlocked: true }, COMMAND_LINE);
    expect(await whoIs(team, bearer(token))).toBe("refused");
    await changeAccount(store, ben.id, { isBlocked: false }, COMMAND_LINE);
    // Blocking ended it for good, as a new password does.
    expect(await whoIs(team, bearer(token))).toBe("refused");
    const lost = await createToken(store, { ...made, role: "viewer" }, by({ ...ben, role: "viewer" }));
    await changeAccount(store, ben.id, { password: "another horse" }, COMMAND_LINE);
    expect(await whoIs(team, bearer(lost))).toBe("refused");
    const old = await createToken(store, { ...made, role: "viewer" }, by({ ...ben, role: "viewer" }));
    expect(await whoIs(team, bearer(old))).toMatchObject({ role: "viewer" });
    const past = new Date(Date.now() - 1000).toISOString();
    await store.write(({ db }) => db.updateTable("api_token").set({ expires_at: past }).execute());
    expect(await whoIs(team, bearer(old))).toBe("refused");
    const second = await createToken(store, { ...made, role: "viewer" }, by({ ...ben, role: "viewer" }));
    await revokeToken(store, (await listTokens(store, ben.id))[0]?.id ?? "", by(ben));
    expect(await whoIs(team, bearer(second))).toBe("refused");
    await store.close();
  });

  runs("may do what their role allows, and what was let through and refused is in the log", async () => {
    const store = await open();
    await addQuickly(store, ADA.name);
    const team = await openGuarded(store);
    for (const role of ROLES) {
      const owner = await addQuickly(store, role, role);
      const { cookie } = await signIn(team, role, ADA.password);
      const may = async (more: Partial<TeamRequest>, url = "/") => {
        const headers = { cookie };
        return (await team.admit(ask(url, { headers, ...more }))).kind === "admitted";
      };
      const rank = ROLES.indexOf(role);
      const act = (action: string | null, url?: string) => may({ method: "POST", action }, url);
      // Pages offer exactly what the door admits.
      const refused: Readonly<Partial<Record<string, string>>> = listRefusedActions(owner);
      for (const action of Object.keys(ACTION_ROLES))
        expect(await act(action), `${role} ${action}`).toBe(refused[action] === undefined);
      expect(await may({}, "/no-such-page"), role).toBe(false);
      expect(await may({}, "/jobs/a"), role).toBe(true);
      expect(await act("saveReview"), role).toBe(rank >= 1);
      expect(await act("saveDecision"), role).toBe(rank >= 2);
      expect(await act("inviteAction"), role).toBe(rank >= 3);
      expect(await act("acceptInvitationAction", "/accounts"), role).toBe(rank >= 3);
      expect(await act(null), role).toBe(false);
      expect(await act("noSuchAction"), role).toBe(false);
      for (const url of [
        "/accounts",
        "/%61ccounts",
        "/accounts/audit.csv",
        "//accounts/audit",
        "/accounts/?a=b",
      ])
        expect(await may({}, url), `${role} ${url}`).toBe(rank >= 3);
    }
    const stranger = await team.admit(ask("/jobs/a?tab=log", { headers: { accept: "text/html" } }));
    expect(stranger).toEqual({ kind: "sign-in", location: "/sign-in?to=%2Fjobs%2Fa%3Ftab%3Dlog" });
    const log = await listEvents(store, { before: null, limit: 1000 });
    const of = (action: string, outcome: string) =>
      log
        .filter((one) => one.action === action && one.outcome === outcome)
        .map(({ accountName }) => accountName);
    expect(new Set(of("saveDecision", "allowed"))).toEqual(new Set(["admin", "adjudicator"]));
    expect(new Set(of("saveDecision", "refused"))).toEqual(new Set(["reviewer", "viewer"]));
    // By whichever way the address was written.
    expect(
      new Set(log.filter(({ action }) => /ccounts/.test(action)).map(({ accountName }) => accountName)),
    ).toEqual(new Set(["adjudicator", "reviewer", "viewer"]));
    expect(log.every(({ address }) => address === "192.0.2.7")).toBe(true);
    await store.close();
  });

  it("keep an append-only log, a page at a time", async () => {
    const store = await open();
    for (let n = 0; n < 5; n++)
      await recordEvent(store, {
        account: null,
        address: "192.0.2.7",
        outcome: "refused",
        action: `POST /${String(n)}\0`,
        detail: "x".repeat(5000),
      });
    const [newest, second] = await listEvents(store, { before: null, limit: 2 });
    expect([newest?.action, second?.detail?.length]).toEqual(["POST /4\uFFFD", 1000]);
    const rest = await listEvents(store, { before: second?.seq ?? 0, limit: 10 });
    expect(rest.map(({ action }) => action[6])).toEqual(["2", "1", "0"]);
    for (const change of [sql`delete from audit_event`, sql`update audit_event set outcome = 'allowed'`])
      await expect(store.write(({ db }) => change.execute(db))).rejects.toThrow(/append-only/);
    await store.close();
  });
});

it("have the tables that the library wants", async () => {
  const target = freshSqlite();
  const store = openAccountStore(target);
  await addQuickly(store, ADA.name);
  await store.close();
  const { toBeCreated, toBeAdded } = await getMigrations({
    logger: { disabled: true },
    database: new Database(target.file),
    secret: "x".repeat(40),
    rateLimit: { enabled: true, storage: "database" },
    plugins: [username({ displayUsername: false })],
    user: { additionalFields: { role: { type: "string" }, blockedAt: { type: "string", required: false } } },
  });
  expect([toBeCreated, toBeAdded]).toEqual([[], []]);
});

const ROOT = join(import.meta.dirname, "..", "..", "..");

it("give a role to every route and every action, and to nothing that there is not", () => {
  const routes = globSync("app/**/{page.tsx,route.ts}", { cwd: ROOT }).map(
    (file) =>
      `/${file
        .split("/")
        .slice(1, -1)
        .filter((part) => !part.startsWith("("))
        .join("/")}`,
  );
  const others = routes.filter((route) => route !== "/api/v1/[...path]");
  const ofApi = Object.keys(API_ENDPOINTS).map((path) => path.replace("{job}", "[job]"));
  const all = [...others, ...ofApi, "/api/v1/openapi.json", "/icon.svg", "/robots.txt"];
  expect(Object.keys(ROUTE_ROLES).toSorted()).toEqual(all.toSorted());
  const actions = globSync("lib/pages/**/*actions.ts", { cwd: ROOT }).flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    if (!text.startsWith('"use server"')) return [];
    return Array.from(text.matchAll(/^export async function (\w+)/gm), ([, name = ""]) => name);
  });
  expect(Object.keys(ACTION_ROLES).toSorted()).toEqual(actions.toSorted());
  for (const file of ["app/icon.svg", "public/robots.txt"])
    expect(existsSync(join(ROOT, file)), file).toBe(true);
});

it.each([
  ["/sign-in", "anyone"],
  ["/_next/static/chunks/a.js", "anyone"],
  ["/_next/static/../../accounts", "admin"],
  ["/_next/static/%2e%2e/%2e%2e/accounts", "admin"],
  ["/sign-in/", "viewer"],
  ["/sign-in/../jobs/a", "viewer"],
  ["/%73ign-in", "viewer"],
  ["/accounts/", "admin"],
  ["/Accounts", "admin"],
  ["/accounts/audit%2ecsv", "admin"],
  ["\\accounts", "admin"],
  ["/jobs/a%2Fb/trials/c", "viewer"],
  ["/no-such-page", null],
  ["/accounts#", null],
] as const)("%s is for %s", (path, role) => {
  expect(findRouteRole(path)).toBe(role);
});
