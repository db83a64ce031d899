import type { Account, Role } from "@/lib/domain/account";
import { NotFoundError } from "@/lib/domain/app-error";

import { changeAccount, listAccounts } from "./accounts";
import { type Actor, recordEvent } from "./audit";
import type { AccountStore } from "./store";
import { createToken, listTokens, revokeToken } from "./tokens";

/** Writes what somebody changed into the audit log. @param detail - of what, and how @throws StoreError */
export function logChange(store: AccountStore, by: Actor, action: string, detail: string): Promise<void> {
  return recordEvent(store, { ...by, outcome: "allowed", action, detail });
}

/**
 * Gives an account another role, blocks it or lets it in again, and writes into the audit log whose and how it was before.
 *
 * @throws ValidationError, NotFoundError, or ConflictError when no admin would be left
 */
export async function changeAccountOf(
  store: AccountStore,
  id: string,
  change: { readonly role?: Role; readonly isBlocked?: boolean },
  by: Actor,
): Promise<Account> {
  const before = (await listAccounts(store)).find((account) => account.id === id);
  if (before === undefined) throw new NotFoundError("There is no such account.");
  const changed = await changeAccount(store, id, change);
  const { name, role } = changed;
  if (change.role !== undefined)
    await logChange(store, by, "change role", `${name}: ${before.role} → ${role}`);
  if (change.isBlocked !== undefined)
    await logChange(store, by, change.isBlocked ? "block account" : "unblock account", name);
  return changed;
}

/** Makes a token of whoever asks, see `createToken`, and writes into the audit log which. @returns its text @throws ValidationError */
export async function createOwnToken(
  store: AccountStore,
  by: Actor,
  request: { readonly label: string; readonly role: Role; readonly days: number },
): Promise<string> {
  const token = await createToken(store, by.account, request);
  const { label, role, days } = request;
  await logChange(store, by, "make token", `${label.trim()}: ${role}, for ${String(days)} days`);
  return token;
}

/** Ends a token of whoever asks, and writes into the audit log which. @throws NotFoundError */
export async function revokeOwnToken(store: AccountStore, by: Actor, id: string): Promise<void> {
  const token = (await listTokens(store, by.account.id)).find((one) => one.id === id);
  await revokeToken(store, by.account.id, id);
  await logChange(store, by, "revoke token", token === undefined ? id : `${token.label}: ${token.role}`);
}
