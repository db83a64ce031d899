/** Answers of what stands before the pages and does not reach what it needs: a proxy, or the door without the store of accounts. */
const UNREACHED: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Has a renewal of the open page arrive whole or count as lost, after which Next asks again: one that breaks off in the
 * middle, because the server ends, would leave the page and what is typed there for an error page, and so would one that is
 * answered with an error page. Pages that are opened still arrive in parts.
 *
 * @returns ends it
 */
export function receiveRenewalsWhole(): () => void {
  const ask = window.fetch;
  window.fetch = async (...request) => {
    const response = await ask(...request);
    const isHead = request[1]?.method === "HEAD";
    if (!isHead && !isRenewal(new URL(response.url, location.href))) return response;
    // Next looks with HEAD whether it can ask again.
    if (UNREACHED.has(response.status)) throw new TypeError(`Assay answered ${String(response.status)}`);
    if (!isHead) await response.clone().arrayBuffer();
    return response;
  };
  return () => {
    window.fetch = ask;
  };
}

function isRenewal({ origin, pathname, searchParams }: URL): boolean {
  if (!searchParams.has("_rsc") || origin !== location.origin || pathname !== location.pathname) return false;
  const asked = new URLSearchParams(searchParams);
  asked.delete("_rsc");
  return asked.toString() === new URLSearchParams(location.search).toString();
}
