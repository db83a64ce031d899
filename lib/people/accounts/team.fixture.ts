import type { Account, Role } from "@/lib/core/domain/account";

import { hashPassword } from "./account-names";
import { insertAccount } from "./accounts";
import { ask } from "./ask.fixture";
import { type AccountStore, openTeam, type Team } from "./index";
import type { TeamRequest } from "./team";

export const ORIGIN = "http://localhost:4680";
export const ADA = { name: "Ada Example", role: "admin", password: "correct horse" } as const;

/** Hashed once: that it takes long is what it is for. */
export const HASH = hashPassword(ADA.password);

/** An account with the password of {@link ADA}. */
export async function addQuickly(store: AccountStore, name: string, role: Role = "admin"): Promise<Account> {
  const passwordHash = await HASH;
  return store.write(({ db }) => insertAccount(db, { name, role, passwordHash }));
}

/** A user who makes changes from an address. */
export const by = (account: Account) => ({ account, address: "192.0.2.7" });

export async function openGuarded(store: AccountStore): Promise<Team> {
  const team = await openTeam(store);
  if (team === null) throw new Error("there are no accounts");
  return team;
}

export async function signIn(
  team: Pick<Team, "answer">,
  name: string,
  password: string,
  address = "192.0.2.7",
) {
  const response = await team.answer({
    ...ask("/api/auth/sign-in/username", { method: "POST", address }),
    headers: { "content-type": "application/json" },
    account: null,
    origin: ORIGIN,
    body: Buffer.from(JSON.stringify({ username: name, password })),
  });
  const cookie = response.headers
    .getSetCookie()
    .map((one) => one.split(";")[0] ?? "")
    .join("; ");
  return { status: response.status, cookie, set: response.headers.getSetCookie() };
}

export const whoIs = async (team: Team, headers: TeamRequest["headers"]) => {
  const admission = await team.admit(ask("/", { headers }));
  return admission.kind === "admitted" ? admission.account : admission.kind;
};
