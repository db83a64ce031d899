/** What somebody may do, from least to most: each may do everything that those before it may. */
export const ROLES = ["viewer", "reviewer", "adjudicator", "admin"] as const;

/** A place in {@link ROLES}. */
export type Role = (typeof ROLES)[number];

/** What a route or an action asks for: an account of this role or a higher one, or nothing. */
export type LeastRole = Role | "anyone";

/** Who is signed in. */
export interface Account {
  readonly id: string;
  /** As it is shown with judgments. */
  readonly name: string;
  readonly role: Role;
}

/** Header that the server's guard sets where accounts are asked for, and takes from everybody's requests. */
export const ACCOUNT_HEADER = "x-assay-account";

/** Header in which the guard says where a request comes from, likewise. */
export const SENDER_HEADER = "x-assay-sender";

/** Whether an account may do what asks for a role; null stands for somebody who is not signed in. */
export function hasRole(account: Pick<Account, "role"> | null, least: LeastRole): boolean {
  if (least === "anyone") return true;
  return account !== null && ROLES.indexOf(account.role) >= ROLES.indexOf(least);
}

/** Returns the lower one of two roles. */
export function findLowerRole(one: Role, other: Role): Role {
  return ROLES.indexOf(one) <= ROLES.indexOf(other) ? one : other;
}

/** Returns the value of {@link ACCOUNT_HEADER}: printable ASCII. */
export function formatAccount(account: Account | null): string {
  return encodeURIComponent(JSON.stringify(account));
}

/** Reads {@link ACCOUNT_HEADER} as the guard wrote it: null for somebody who is not signed in, undefined where nobody signs in. */
export function parseAccount(header: string | null | undefined): Account | null | undefined {
  if (header === null || header === undefined) return undefined;
  return JSON.parse(decodeURIComponent(header)) as Account | null; // Only the guard writes it.
}
