import "server-only";
import { cookies, headers } from "next/headers";

import { ACCOUNT_HEADER, type Account, parseAccount, SENDER_HEADER } from "@/lib/core/domain/account";
import { type PageClock, preparePageClock, ZONE_COOKIE } from "@/lib/core/format/time";
import { listRefusedActions, type RefusedActions } from "@/lib/people/accounts";

export async function getPageClock(): Promise<PageClock> {
  return preparePageClock((await cookies()).get(ZONE_COOKIE)?.value, Date.now());
}

/** Returns null if no one is signed in, undefined without accounts. */
export async function getAccount(): Promise<Account | null | undefined> {
  return parseAccount((await headers()).get(ACCOUNT_HEADER));
}

/** Returns the client address as the server or its proxy saw it; empty without accounts. */
export async function getSender(): Promise<string> {
  return (await headers()).get(SENDER_HEADER) ?? "";
}

export async function getRefusedActions(): Promise<RefusedActions> {
  const account = await getAccount();
  return account ? listRefusedActions(account) : {};
}

const NONCE = /'nonce-([^']+)'/;

/** Returns the nonce that inline scripts need under the guard's policy. Undefined without a guard, as in development. */
export async function getPageNonce(): Promise<string | undefined> {
  return NONCE.exec((await headers()).get("content-security-policy") ?? "")?.[1];
}
