import "server-only";

import { cookies, headers } from "next/headers";

import { listRefusedActions, type RefusedActions } from "@/lib/accounts";
import { ACCOUNT_HEADER, type Account, parseAccount, SENDER_HEADER } from "@/lib/domain/account";
import { type PageClock, preparePageClock, ZONE_COOKIE } from "@/lib/format/time";

/** In which zone this reader sees times: the one that was chosen, else UTC. */
export async function getPageClock(): Promise<PageClock> {
  return preparePageClock((await cookies()).get(ZONE_COOKIE)?.value, Date.now());
}

/** Returns who is signed in: null for nobody, on pages where people sign in, and undefined where there are no accounts. */
export async function getAccount(): Promise<Account | null | undefined> {
  return parseAccount((await headers()).get(ACCOUNT_HEADER));
}

/** Returns where the request comes from, as the server or its proxy saw it; empty where there are no accounts. */
export async function getSender(): Promise<string> {
  return (await headers()).get(SENDER_HEADER) ?? "";
}

/** Returns what whoever is signed in may not do; nothing where there are no accounts. */
export async function getRefusedActions(): Promise<RefusedActions> {
  const account = await getAccount();
  return account ? listRefusedActions(account) : {};
}

const NONCE = /'nonce-([^']+)'/;

/** What an inline script of the page being made has to carry to be run: the guard puts it into the request's policy. Undefined where no guard stands, as in development. */
export async function getPageNonce(): Promise<string | undefined> {
  return NONCE.exec((await headers()).get("content-security-policy") ?? "")?.[1];
}
