import type { IncomingMessage } from "node:http";

import { getBasePath } from "../core/domain/base-path.ts";

export function readCookies({ headers }: Pick<IncomingMessage, "headers">, name: string): string[] {
  return (headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

/** Trusts the proxy's header: the guard removes it from all other requests. */
export function isOverTls({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return headers["x-forwarded-proto"]?.toString().startsWith("https") === true;
}

export function writeCookie(
  { headers }: Pick<IncomingMessage, "headers">,
  cookie: { readonly name: string; readonly value: string; readonly days: number },
): string {
  const seconds = cookie.days * 24 * 60 * 60;
  return (
    `${cookie.name}=${cookie.value}; Path=${getBasePath() || "/"}; Max-Age=${seconds}; HttpOnly; SameSite=Lax` +
    (isOverTls({ headers }) ? "; Secure" : "")
  );
}
