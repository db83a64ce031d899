import type { IncomingMessage } from "node:http";

import { getBasePath } from "../domain/base-path.ts";

/** Returns the values of every cookie of this name that a request brings, in their order; more than one is odd, and possible. */
export function readCookies({ headers }: Pick<IncomingMessage, "headers">, name: string): string[] {
  return (headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

/** Whether the proxy in front says that the browser speaks TLS; from anybody else the guard has taken that header. */
export function isOverTls({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return headers["x-forwarded-proto"]?.toString().startsWith("https") === true;
}

/** Returns a `Set-Cookie` header of a cookie that no script reads, `SameSite=Lax`, and kept to TLS where that is spoken. */
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
