import type { Kysely } from "kysely";

import type { Account } from "@/lib/core/domain/account";

import { ACTION_ROLES, SESSION_ROLES } from "./permissions";
import type { AccountStore, AccountTables } from "./store";

const DETAIL_LENGTH = 1_000;

export interface AuditEvent {
  readonly account: Pick<Account, "id" | "name"> | null;
  readonly address: string;
  readonly outcome: "allowed" | "refused";
  readonly action: string;
  readonly detail: string | null;
}

export type LoggedEvent = Awaited<ReturnType<typeof listEvents>>[number];

export type Author = Pick<AuditEvent, "account" | "address">;

export interface Actor extends Author {
  readonly account: Account;
}

export const COMMAND_LINE: Author = { account: null, address: "command line" };

export async function recordEvent(store: AccountStore, event: AuditEvent): Promise<void> {
  await store.write(({ db }) => writeEvent(db, event));
}

async function writeEvent(db: Kysely<AccountTables>, event: AuditEvent): Promise<void> {
  const { account, address, outcome, action, detail } = event;
  await db
    .insertInto("audit_event")
    .values({
      created_at: new Date().toISOString(),
      account_id: account?.id ?? null,
      account_name: account?.name ?? null,
      ...{ address, outcome, action: cut(action) },
      detail: detail === null ? null : cut(detail),
    })
    .execute();
}

/** Needs the caller's transaction. `action` is about two words, `detail` the object and the change. */
export function writeChange(
  db: Kysely<AccountTables>,
  { account, address }: Author,
  action: string,
  detail: string,
): Promise<void> {
  return writeEvent(db, { account, address, outcome: "allowed", action, detail });
}

export function listEvents(
  store: AccountStore,
  { before, limit }: { readonly before: number | null; readonly limit: number },
) {
  return store.read([], ({ db }) =>
    db
      .selectFrom("audit_event")
      .select(["seq", "created_at as at", "account_name as accountName"])
      .select(["address", "outcome", "action", "detail"])
      .$if(before !== null, (query) => query.where("seq", "<", before))
      .orderBy("seq", "desc")
      .limit(limit)
      .execute(),
  );
}

/** PostgreSQL rejects NUL, and long addresses must not fill the log. */
function cut(text: string): string {
  return text.replaceAll("\0", "\uFFFD").toWellFormed().slice(0, DETAIL_LENGTH);
}

const MINUTE_MS = 60_000;

/** Limits the lines of one actor in a minute. A line takes 165 bytes in SQLite, so 300 a minute are 71 MB a day. */
export const MOST_LINES = { allowed: 300, refused: 60 } as const;

export type BoundedLog = ReturnType<typeof boundLog>;

/** Bounds the lines that one actor can cause on this server: an account's id, "strangers", or "sign-ins" of strangers. */
export function boundLog(store: AccountStore) {
  let minute = 0;
  let timer: NodeJS.Timeout | null = null;
  const counts = new Map<string, number>();
  const leftOut = new Map<string, { readonly event: AuditEvent; readonly at: number; readonly n: number }>();
  const hasRoom = (outcome: keyof typeof MOST_LINES, actor: string): boolean => {
    const now = Math.floor(Date.now() / MINUTE_MS);
    if (now !== minute) counts.clear();
    minute = now;
    const n = (counts.get(`${outcome} ${actor}`) ?? 0) + 1;
    counts.set(`${outcome} ${actor}`, n);
    return n <= MOST_LINES[outcome];
  };
  const leaveOut = (event: AuditEvent, actor: string) => {
    const isNamed = Object.hasOwn(ACTION_ROLES, event.action) || Object.hasOwn(SESSION_ROLES, event.action);
    const action = isNamed ? event.action : "other requests";
    const key = `${minute} ${actor} ${action}`;
    const before = leftOut.get(key);
    const account = event.account?.id === actor ? event.account : null;
    const address = (before?.event.address ?? event.address) === event.address ? event.address : "several";
    leftOut.set(key, { event: { ...event, account, address, action }, at: minute, n: (before?.n ?? 0) + 1 });
    timer ??= setTimeout(() => {
      timer = null;
      flush().catch(() => undefined);
    }, findRest()).unref();
  };
  const flush = async () => {
    for (const [key, left] of [...leftOut]) {
      const start = new Date(left.at * MINUTE_MS).toISOString();
      const detail = `and ${left.n} more refusals of ${left.event.action} in the minute from ${start}`;
      await recordEvent(store, { ...left.event, detail });
      leftOut.delete(key);
    }
  };
  return {
    flush,
    countChange: (id: string): number | null =>
      hasRoom("allowed", id) ? null : Math.ceil(findRest() / 1000),
    /** A refusal beyond the bound is counted for a line at the end of the minute. */
    record: async (event: AuditEvent, actor: string): Promise<void> => {
      if (event.outcome === "allowed" || hasRoom("refused", actor)) await recordEvent(store, event);
      else leaveOut(event, actor);
    },
  };
}

const findRest = () => MINUTE_MS - (Date.now() % MINUTE_MS);
