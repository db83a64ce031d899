const ORIGIN = "http://assay.invalid";

/**
 * Returns a path of this server, with query and fragment, as a browser would go to it; null for any text that is none or leads to
 * another site, however it is written.
 */
export function readOwnPath(text: string | null): string | null {
  if (text?.startsWith("/") !== true || !URL.canParse(text, ORIGIN)) return null;
  const { origin, pathname, search, hash } = new URL(text, ORIGIN);
  // What dots leave behind may begin with two slashes, and those name another site.
  return origin === ORIGIN && !pathname.startsWith("//") ? pathname + search + hash : null;
}
