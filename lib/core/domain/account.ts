/** From least to most. Each role may do everything the earlier ones may. */
export const ROLES = ["viewer", "reviewer", "adjudicator", "admin"] as const;

export type Role = (typeof ROLES)[number];

export type LeastRole = Role | "anyone";

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** The server's guard sets this header when accounts are enabled, and strips it from incoming requests. */
export const ACCOUNT_HEADER = "x-assay-account";

/** The guard sets it to the origin of a request, and strips it from incoming requests. */
export const SENDER_HEADER = "x-assay-sender";

export function hasRole(account: Pick<Account, "role"> | null, least: LeastRole): boolean {
  if (least === "anyone") return true;
  return account !== null && ROLES.indexOf(account.role) >= ROLES.indexOf(least);
}

export function findLowerRole(one: Role, other: Role): Role {
  return ROLES.indexOf(one) <= ROLES.indexOf(other) ? one : other;
}

export function formatAccount(account: Account | null): string {
  return encodeURIComponent(JSON.stringify(account));
}

/** Parses {@link ACCOUNT_HEADER}: null for a user who is not signed in, undefined when accounts are not enabled. */
export function parseAccount(header: string | null | undefined): Account | null | undefined {
  if (header === null || header === undefined) return undefined;
  return JSON.parse(decodeURIComponent(header)) as Account | null; // Only the guard writes it.
}
