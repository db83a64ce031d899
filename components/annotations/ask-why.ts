import { withBasePath } from "@/lib/domain/base-path";

/** Small, and behind the guard as everything is. */
const PROBE = "/icon.svg";

/** Tells a server that does not answer from one that refuses: what an action throws is the same for both. */
export async function askWhy(): Promise<
  { readonly status: "offline" } | { readonly status: "failed"; readonly message: string }
> {
  const status = await fetch(withBasePath(PROBE), { method: "HEAD", cache: "no-store" }).then(
    (answer) => answer.status,
    () => null,
  );
  // A proxy answers for a server that does not, and Assay itself with 503 while it starts.
  if (status === null || status >= 502) return { status: "offline" };
  return { status: "failed", message: status === 401 ? SHUT_OUT : NOT_TAKEN };
}

const SHUT_OUT =
  "Not saved: you are signed out. Sign in on another tab and save again; your draft is kept in this browser.";
const NOT_TAKEN =
  "Not saved: the server refused the request. Your role may not allow it, or Assay was updated: reload the page; if it " +
  "happens again, check the terminal that runs Assay.";
