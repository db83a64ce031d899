import type { Kysely } from "kysely";

import type { Account } from "@/lib/domain/account";

import type { ActionName } from "./permissions";
import type { AccountStore, AccountTables } from "./store";

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

/** Whom the log names beside a change, and where it came from. */
export type Author = Pick<AuditEvent, "account" | "address">;

/** Who changes something, and from where. */
export interface Actor extends Author {
  readonly account: Account;
}

/** Whoever runs commands on the server's machine. */
export const COMMAND_LINE: Author = { account: null, address: "command line" };

/**
 * Actions that change nothing that anybody looks for, and those whose change has a line of its own that says what it was. That they
 * were let through is in the whole log alone.
 */
const QUIET: readonly ActionName[] = [
  "findCategories",
  "findNextReview",
  "takeQueueItem",
  "renewQueueLease",
  "releaseQueueItem",
  "openNextAction",
  "previewQueueAction",
  "acceptInvitationAction",
  "inviteAction",
  "revokeInvitationAction",
  "changeAccountAction",
  "changeFolderRoleAction",
  "createTokenAction",
  "revokeTokenAction",
  "disconnectAction",
];

/** Adds an event to the log, of which nothing is ever changed or deleted. @throws StoreError */
export async function recordEvent(store: AccountStore, event: AuditEvent): Promise<void> {
  await store.write(({ db }) => writeEvent(db, event));
}

/** Adds an event to the log, in the transaction of whoever calls. */
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

/** Adds what somebody changed to the log, in the transaction of whoever calls. @param action - two words or so @param detail - of what, and how */
export function writeChange(
  db: Kysely<AccountTables>,
  { account, address }: Author,
  action: string,
  detail: string,
): Promise<void> {
  return writeEvent(db, { account, address, outcome: "allowed", action, detail });
}

/**
 * Lists the log, the newest events first.
 *
 * @param range.before - number that all are below; null for the newest
 * @param range.isWhole - whether those are listed that changed nothing, or whose change has another line
 * @throws StoreError
 */
export async function listEvents(
  store: AccountStore,
  range: { readonly before: number | null; readonly limit: number; readonly isWhole?: boolean },
): Promise<readonly LoggedEvent[]> {
  return store.read<readonly LoggedEvent[]>([], ({ db }) => {
    const all = db
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
    const query =
      range.isWhole === false
        ? all.where((of) => of.or([of("outcome", "=", "refused"), of("action", "not in", QUIET)]))
        : all;
    return (range.before === null ? query : query.where("seq", "<", range.before)).execute();
  });
}

/** PostgreSQL takes no NUL, and nobody's address is to fill the log. */
function cut(text: string): string {
  return text.replaceAll("\0", "\uFFFD").toWellFormed().slice(0, DETAIL_LENGTH);
}
