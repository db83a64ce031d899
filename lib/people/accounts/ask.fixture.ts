import { parseTarget, type RequestTarget } from "@/lib/core/domain/request-target";

import type { TeamRequest } from "./team";

/** Makes a request as the server gives it to the team. */
export function ask(url: string, more: Partial<TeamRequest> = {}): TeamRequest {
  const asked = { headers: {}, address: "192.0.2.7", isOverTls: false };
  return { method: "GET", target: targetOf(url), ...asked, ...more };
}

function targetOf(url: string): RequestTarget {
  const target = parseTarget(url);
  if (target === null) throw new Error(`The server refuses ${url}.`);
  return target;
}
