import type { Account } from "@/lib/domain/account";

import type { AccountStore } from "./store";

const DETAIL_LENGTH = 1_000;

/** Something that was let through or refused. */
export interface AuditEvent {
  /** Null for somebody who is not signed in. */
  readonly account: Pick<Account, "id" | "name"> | null;
  /** Address of whoever asked, as the server or its proxy saw it; `command line` for commands. */
  readonly address: string;
  readonly outcome: "allowed" | "refused";
  /** Name of the action, or method and path without its query. */
  readonly action: string;
  /** What it was about, or why it was refused; null where the action says everything. */
  readonly detail: string | null;
}

/** An event of the log with its place and time. */
export interface LoggedEvent extends Omit<AuditEvent, "account"> {
  readonly seq: number;
  /** UTC, ISO 8601. */
  readonly at: string;
  readonly accountName: string | null;
}

/** Adds an event to the log, of which nothing is ever changed or deleted. @throws StoreError */
export async function recordEvent(store: AccountStore, event: AuditEvent): Promise<void> {
  const { account, address, outcome, action, detail } = event;
  await store.write(({ db }) =>
    db
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
      .execute(),
  );
}

/** Lists the log, the newest events first. @param range.before - number that all are below; null for the newest @throws StoreError */
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

/** PostgreSQL takes no NUL, and nobody's address is to fill the log. */
function cut(text: string): string {
  return text.replaceAll("\0", "\uFFFD").toWellFormed().slice(0, DETAIL_LENGTH);
}
