import { withBasePath } from "@/lib/core/domain/base-path";
import type { ActionFailure } from "@/lib/pages/shell/act";

/** Small, and behind the same guard as every page. */
const PROBE = "/icon.svg";

/** Tells an unreachable server from a refusal, because a server action throws the same for both. */
export async function askWhy(): Promise<{ readonly status: "offline" } | ActionFailure> {
  const status = await fetch(withBasePath(PROBE), { method: "HEAD", cache: "no-store" }).then(
    (answer) => answer.status,
    () => null,
  );
  // A proxy answers for a server that is down, and Assay itself answers 503 while it starts.
  if (status === null || status >= 502) return { status: "offline" };
  return { status: "failed", message: status === 401 ? SHUT_OUT : NOT_TAKEN, fields: {} };
}

const SHUT_OUT =
  "Not saved: you are signed out. Sign in in another tab and save again. Your draft is kept in this browser.";
const NOT_TAKEN =
  "Not saved: the server rejected the request. Your role may not allow it, or Assay was updated. Reload the page; if it " +
  "happens again, check the terminal that runs Assay.";
