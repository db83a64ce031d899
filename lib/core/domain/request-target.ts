/** The door, the guard and pages all decide by this one value. */
export interface RequestTarget {
  /** Begins with a slash; percent escapes as sent. */
  readonly path: string;
  readonly query: string;
}

/**
 * Origin-form of RFC 9112, section 3.2.1, with the characters of RFC 3986 and those that browsers send as typed. Next forwards an
 * action to the page that has it with the brackets of its route.
 */
const ORIGIN_FORM =
  /^(\/(?:[\w.~!$&'()*+,;=:@/[\]|^-]|%[\da-f]{2})*)(?:\?([\w.~!$&'()*+,;=:@/?%[\]{}|\\^`-]*))?$/i;

/** Dot segments in any spelling. Browsers resolve them and never send one. */
const DOTS = /(?:\/|%2f|%5c)(?:\.|%2e){1,2}(?=\/|%2f|%5c|$)/i;

/** Returns null for another form, a dot segment, or percent escapes that are not UTF-8. */
export function parseTarget(url: string): RequestTarget | null {
  const [, path, query = ""] = ORIGIN_FORM.exec(url) ?? [];
  if (path === undefined || DOTS.test(path) || decode(path) === null) return null;
  return { path, query };
}

export function formatTarget({ path, query }: RequestTarget): string {
  return query === "" ? path : `${path}?${query}`;
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

const ORIGIN = "http://assay.invalid";

/** Returns a path of this server as a browser resolves it. Null if it would open another site, however it is written. */
export function readOwnPath(text: string | null): string | null {
  if (text?.startsWith("/") !== true || !URL.canParse(text, ORIGIN)) return null;
  const { origin, pathname, search, hash } = new URL(text, ORIGIN);
  // Resolved dots may leave two slashes at the beginning, and those name another site.
  return origin === ORIGIN && !pathname.startsWith("//") ? pathname + search + hash : null;
}
