import type { Account } from "@/lib/core/domain/account";

import { ask } from "./ask.fixture";
import { OIDC_PATH } from "./oidc";
import type { Team, TeamRequest } from "./team";

const ORIGIN = "http://localhost:4680";

const readCookie = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((one) => one.split(";")[0] ?? "")
    .filter((pair) => !pair.endsWith("="))
    .join("; ");

/** Data of a page that begins a sign-in. */
export interface Beginning {
  readonly to?: string | null;
  readonly invitation?: string | null;
  readonly connect?: boolean;
}

/** Begins a sign-in as the button does. */
export async function begin(
  team: Team,
  beginning: Beginning = {},
  account: Account | null = null,
  headers: TeamRequest["headers"] = {},
) {
  const response = await team.answer({
    ...ask(OIDC_PATH, { method: "POST", headers: { "content-type": "application/json", ...headers } }),
    ...{ account, origin: ORIGIN },
    body: Buffer.from(JSON.stringify({ to: null, invitation: null, connect: false, ...beginning })),
  });
  const text = await response.text();
  const { location = "" } = JSON.parse(text || "{}") as { readonly location?: string };
  return { status: response.status, location, cookie: readCookie(response), text };
}

/** Comes back from a provider, with the cookie of a browser. */
export async function comeBack(
  team: Team,
  { url, cookie }: { readonly url: string; readonly cookie: string },
  account: Account | null = null,
  headers: TeamRequest["headers"] = {},
) {
  const { pathname, search } = new URL(url, ORIGIN);
  const response = await team.answer({
    ...ask(pathname + search, { headers: { cookie, ...headers } }),
    ...{ account, origin: ORIGIN, body: null },
  });
  return {
    status: response.status,
    location: response.headers.get("location"),
    cookie: readCookie(response),
    set: response.headers.getSetCookie(),
  };
}

/** The account of a session, or what the door does without one. */
export const whoIs = async (team: Team, cookie: string) => {
  const admission = await team.admit(ask("/", { headers: { cookie } }));
  return admission.kind === "admitted" ? admission.account : admission.kind;
};
