import { afterEach, expect, it, vi } from "vitest";

import { freshSqlite } from "@/lib/store/database/postgres.fixture";

import { ask } from "./ask.fixture";
import { MOST_LINES } from "./audit";
import { type AccountStore, listEvents, type Team } from "./index";
import { ACCOUNT_ACTIONS, ACTION_ROLES, READING_ACTIONS } from "./permissions";
import { openAccountStore } from "./store";
import { ADA, addQuickly, openGuarded, ORIGIN, signIn } from "./team.fixture";

const NOON = new Date("2026-03-01T12:00:20Z");

/** Starts a team of one viewer, one admin and a stranger at a time with 40 seconds left in the minute. */
async function start() {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout"], now: NOON });
  const store = openAccountStore(freshSqlite());
  await addQuickly(store, ADA.name);
  await addQuickly(store, "Vic", "viewer");
  const team = await openGuarded(store);
  const cookies = [
    (await signIn(team, "Vic", ADA.password)).cookie,
    (await signIn(team, ADA.name, ADA.password)).cookie,
  ];
  const nBefore = (await listEvents(store, { before: null, limit: 10_000 })).length;
  const [vic = "", ada = ""] = cookies;
  return {
    store,
    team,
    vic: { cookie: vic },
    ada: { cookie: ada },
    readNew: () => readAfter(store, nBefore),
  };
}

/** Returns the lines after the first `n`, oldest first. */
async function readAfter(store: AccountStore, n: number) {
  return (await listEvents(store, { before: null, limit: 10_000 })).toReversed().slice(n);
}

const act = (team: Team, action: string, headers = {}, address = "192.0.2.7") =>
  team.admit(ask("/", { method: "POST", action, headers, address }));

async function repeat(n: number, work: (at: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < n; at++) await work(at);
}

afterEach(() => void vi.useRealTimers());

it("has no line of a look-up, however many there are, and one of each change", async () => {
  const { store, team, vic, ada, readNew } = await start();
  await repeat(200, () => act(team, "findCategories", vic));
  const names = Object.keys(ACTION_ROLES);
  for (const name of names) expect((await act(team, name, ada)).kind, name).toBe("admitted");
  const logged = (await readNew()).map(({ action }) => action);
  // Changes of accounts are logged where they are made, with what was changed.
  const others = names.filter((name) => !(name in READING_ACTIONS) && !(name in ACCOUNT_ACTIONS));
  expect(logged).toEqual(others);
  for (const name of ["saveReview", "undoReview", "saveDecision", "applyImport", "deleteViewAction"])
    expect(logged).toContain(name);
  await store.close();
});

it("lists some refusals of an account and counts the others, so that none is missing", async () => {
  const { store, team, vic, ada, readNew } = await start();
  await repeat(150, () => act(team, "saveReview", vic));
  await repeat(30, (at) => team.admit(ask(`/accounts?n=${String(at)}`, { headers: vic })));
  await repeat(20, (at) => team.admit(ask(`/no-such-page/${String(at)}`, { headers: vic })));
  expect((await readNew()).map(({ action }) => action)).toEqual(Array(MOST_LINES.refused).fill("saveReview"));
  // Others are listed still, and so are the changes of the same account.
  await act(team, "createTokenAction", vic);
  expect((await act(team, "noSuchAction", ada)).kind).toBe("refused");
  expect((await readNew()).at(-1)).toMatchObject({ accountName: ADA.name, action: "noSuchAction" });
  const nListed = (await readNew()).length;
  await vi.advanceTimersByTimeAsync(40_000);
  await vi.waitFor(async () => expect((await readNew()).length).toBe(nListed + 2));
  const rest = (await readNew()).slice(nListed);
  expect(rest.map(({ accountName, outcome, address }) => [accountName, outcome, address])).toEqual(
    Array(2).fill(["Vic", "refused", "192.0.2.7"]),
  );
  expect(rest.map(({ detail }) => detail)).toEqual([
    "and 90 more refusals of saveReview in the minute from 2026-03-01T12:00:00.000Z",
    "and 50 more refusals of other requests in the minute from 2026-03-01T12:00:00.000Z",
  ]);
  // The next minute starts from nothing.
  await act(team, "saveReview", vic);
  expect((await readNew()).at(-1)?.detail).toContain("This requires the reviewer role");
  await store.close();
});

it("counts refusals of strangers together, and those at the sign-in apart, when the server stops too", async () => {
  const { store, team, readNew } = await start();
  await repeat(100, (at) => act(team, "saveReview", {}, `192.0.2.${String(at)}`));
  await signIn(team, "Vic", "a wrong one", "192.0.2.200");
  const signOut = { ...ask("/api/auth/sign-out", { method: "POST" }), account: null, origin: ORIGIN };
  const body = Buffer.from(JSON.stringify({ username: "Vic" }));
  await team.answer({ ...signOut, headers: { "content-type": "application/json" }, body });
  await team.flushLog();
  await team.flushLog();
  const lines = await readNew();
  expect(lines.slice(MOST_LINES.refused)).toMatchObject([
    { accountName: "Vic", action: "POST /api/auth/sign-in/username", outcome: "refused" },
    {
      accountName: null,
      address: "several",
      detail: "and 40 more refusals of saveReview in the minute from 2026-03-01T12:00:00.000Z",
    },
  ]);
  await store.close();
});

it("refuses changes that it would have to leave out, says when to try again, and lists that", async () => {
  const { store, team, vic, ada, readNew } = await start();
  await repeat(MOST_LINES.allowed, () => act(team, "createTokenAction", vic));
  expect(await act(team, "createTokenAction", vic)).toMatchObject({ status: 429, retryAfterSeconds: 40 });
  expect(await readNew()).toMatchObject([{ outcome: "refused", action: "createTokenAction" }]);
  // Reading still works, and so do other accounts.
  expect((await act(team, "findCategories", vic)).kind).toBe("admitted");
  expect((await team.admit(ask("/", { headers: vic }))).kind).toBe("admitted");
  expect((await act(team, "saveReview", ada)).kind).toBe("admitted");
  vi.setSystemTime(NOON.getTime() + 40_000);
  expect((await act(team, "createTokenAction", vic)).kind).toBe("admitted");
  await store.close();
});
