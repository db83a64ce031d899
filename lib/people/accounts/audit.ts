import type { Kysely } from "kysely";

import type { Account } from "@/lib/core/domain/account";

import type { AccountStore, AccountTables } from "./store";

const DETAIL_LENGTH = 1_000;

export interface AuditEvent {
  readonly account: Pick<Account, "id" | "name"> | null;
  /** `command line` for commands. */
  readonly address: string;
  readonly outcome: "allowed" | "refused";
  readonly action: string;
  readonly detail: string | null;
}

export interface LoggedEvent extends Omit<AuditEvent, "account"> {
  readonly seq: number;
  readonly at: string;
  readonly accountName: string | null;
}

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
      address,
      outcome,
      action: cut(action),
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

/** Newest first, below number `before`. */
export async function listEvents(
  store: AccountStore,
  range: { readonly before: number | null; readonly limit: number },
): Promise<readonly LoggedEvent[]> {
  return store.read<readonly LoggedEvent[]>([], ({ db }) => {
    const query = db
      .selectFrom("audit_event")
      .select([
        "seq",
        "created_at as at",
        "account_name as accountName",
        "address",
        "outcome",
        "action",
        "detail",
      ])
      .orderBy("seq", "desc")
      .limit(range.limit);
    return (range.before === null ? query : query.where("seq", "<", range.before)).execute();
  });
}

/** PostgreSQL rejects NUL, and long addresses must not fill the log. */
function cut(text: string): string {
  return text.replaceAll("\0", "\uFFFD").toWellFormed().slice(0, DETAIL_LENGTH);
}
