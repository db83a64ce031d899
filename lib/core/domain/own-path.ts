const ORIGIN = "http://assay.invalid";

/** Returns a path of this server as a browser resolves it. Null if it would open another site, however it is written. */
export function readOwnPath(text: string | null): string | null {
  if (text?.startsWith("/") !== true || !URL.canParse(text, ORIGIN)) return null;
  const { origin, pathname, search, hash } = new URL(text, ORIGIN);
  // Resolved dots may leave two slashes at the beginning, and those name another site.
  return origin === ORIGIN && !pathname.startsWith("//") ? pathname + search + hash : null;
}
