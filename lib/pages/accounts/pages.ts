import "server-only";
import { unlessUnreadable } from "@/lib/core/domain/app-error";
import {
  getAccountStore,
  isConnected,
  listAccounts,
  listEvents,
  listInvitations,
  listTokens,
  type LoggedEvent,
  readFolderRoles,
  readInvitation,
  readOidcSettings,
  readSignInWays,
  type SignInWays,
} from "@/lib/people/accounts";
import { describePath } from "@/lib/read/buckets";

import { getIndex } from "../shell/catalog";
import { type FileDownload, serveFile } from "../shell/download";
import { getAccount } from "../shell/request";

/** Returns null where accounts are not enabled. `isConnected` is true if the account signs in through the identity provider. */
export async function getAccountPage() {
  const account = await getAccount();
  if (!account) return null;
  const store = getAccountStore();
  const settings = readOidcSettings(process.env);
  const [tokens, isOfProvider] = await Promise.all([
    listTokens(store, account.id),
    settings !== null && isConnected(store, settings, account.id),
  ]);
  return { account, tokens, ways: readSignInWays(process.env), isConnected: isOfProvider };
}

export function getSignInWays(): SignInWays {
  return readSignInWays(process.env);
}

export type FolderChoice = NonNullable<Awaited<ReturnType<typeof getAccountsPage>>>["folders"][number];

/** Returns the addresses (real paths or bucket URLs) of opened folders visible to the current account; empty without an index. */
export function listOpenFolders(): Promise<readonly string[]> {
  return unlessUnreadable(async () => (await getIndex()).roots.map(({ path }) => describePath(path)), []);
}

/** Returns null where accounts are not enabled. `role` of a folder is the lowest that can see it. */
export async function getAccountsPage() {
  const own = await getAccount();
  if (!own) return null;
  const store = getAccountStore();
  const [accounts, invitations, roles, addresses] = await Promise.all([
    listAccounts(store),
    listInvitations(store),
    readFolderRoles(store),
    listOpenFolders(),
  ]);
  const folders = addresses.map((address) => ({ address, role: roles.get(address) ?? "viewer" }));
  return { own, accounts, invitations, folders };
}

const PAGE_EVENTS = 100;

/** @param before - lists events with a lower number, newest first; null starts at the newest. The last page has no next. */
export async function getAuditPage(before: number | null) {
  if (!(await getAccount())) return null;
  const found = await listEvents(getAccountStore(), { before, limit: PAGE_EVENTS + 1 });
  const events = found.slice(0, PAGE_EVENTS);
  return { events, next: found.length > PAGE_EVENTS ? (events.at(-1)?.seq ?? null) : null };
}

export function serveAudit(): Promise<Response> {
  return serveFile(async (): Promise<FileDownload> => {
    const first = await listEvents(getAccountStore(), { before: null, limit: PAGE_EVENTS });
    return { name: "audit.csv", contentType: "text/csv; charset=utf-8", pieces: writeLines(first) };
  });
}

async function* writeLines(first: readonly LoggedEvent[]): AsyncGenerator<string, void> {
  yield "at,account,address,outcome,action,detail\r\n";
  for (let events = first; events.length > 0;) {
    yield events
      .map(({ at, accountName, address, outcome, action, detail }) =>
        [at, accountName, address, outcome, action, detail].map(quote).join(","),
      )
      .map((line) => `${line}\r\n`)
      .join("");
    events = await listEvents(getAccountStore(), { before: events.at(-1)?.seq ?? 0, limit: PAGE_EVENTS });
  }
}

/** Prefixes text that a spreadsheet would run as a formula with an apostrophe. */
function quote(text: string | null): string {
  const safe = /^[=+\-@\t\r]/.test(text ?? "") ? `'${text ?? ""}` : (text ?? "");
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Returns null for an invitation that cannot be accepted, or if the store cannot be read. */
export async function getInvitation(secret: string) {
  const promised = await unlessUnreadable(() => readInvitation(getAccountStore(), secret), null);
  return promised === null ? null : { promised, signedIn: (await getAccount()) ?? null };
}
