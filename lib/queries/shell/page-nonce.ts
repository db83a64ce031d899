import "server-only";

import { headers } from "next/headers";

const NONCE = /'nonce-([^']+)'/;

/** What an inline script of the page being made has to carry to be run: the guard puts it into the request's policy. Undefined where no guard stands, as in development. */
export async function getPageNonce(): Promise<string | undefined> {
  return NONCE.exec((await headers()).get("content-security-policy") ?? "")?.[1];
}
