/**
 * Has a renewal of the open page arrive whole or count as lost, after which Next asks again: one that breaks off in the
 * middle, because the server ends, would leave the page and what is typed there for an error page. Pages that are opened
 * still arrive in parts.
 *
 * @returns ends it
 */
export function receiveRenewalsWhole(): () => void {
  const ask = window.fetch;
  window.fetch = async (...request) => {
    const response = await ask(...request);
    if (isRenewal(new URL(response.url, location.href))) await response.clone().arrayBuffer();
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
