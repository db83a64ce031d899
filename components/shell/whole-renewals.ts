/** Status codes of a proxy, or of Assay without its account store. */
const UNREACHED: ReadonlySet<number> = new Set([502, 503, 504]);

/** Makes renewals arrive whole or fail, after which Next retries: a broken one would replace the page and typed text. */
export function receiveRenewalsWhole(): () => void {
  const ask = window.fetch;
  window.fetch = async (...request) => {
    const response = await ask(...request);
    const isHead = request[1]?.method === "HEAD";
    if (!isHead && !isRenewal(new URL(response.url, location.href))) return response;
    // Next sends HEAD to check if it can retry.
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
