import { randomBytes } from "node:crypto";

import type { Generated } from "kysely";

import {
  type DatabaseTarget,
  openOnUse,
  resolveTarget,
  type StoreKind,
  type StoreOnUse,
} from "@/lib/database";
import type { Role } from "@/lib/domain/account";

import { listMigrations } from "./migrations";

const PLACE = { fileName: "accounts.sqlite", schema: "assay_accounts", synchronous: "EXTRA" } as const;

/** The tables that verbs of this folder ask for; times are UTC in ISO 8601. Of Better Auth's own, the columns that they touch. */
export interface AccountTables {
  user: {
    id: string;
    name: string;
    email: string;
    emailVerified: number;
    createdAt: string;
    updatedAt: string;
    /** The name as `computeReviewerKey` gives it, so that no two accounts pass for one reviewer. */
    username: string | null;
    role: Role;
    blockedAt: string | null;
  };
  session: { id: string; userId: string };
  account: {
    id: string;
    accountId: string;
    providerId: string;
    userId: string;
    password: string | null;
    createdAt: string;
    updatedAt: string;
  };
  server_secret: { id: number; secret: string };
  invitation: {
    id: string;
    token_hash: string;
    role: Role;
    created_at: string;
    /** Name of the admin. */
    created_by: string;
    expires_at: string;
    revoked_at: string | null;
    accepted_at: string | null;
    /** Name of the account that came of it. */
    accepted_by: string | null;
    /** For whom it is; null where nobody said so. */
    label: string | null;
  };
  api_token: {
    id: string;
    token_hash: string;
    user_id: string;
    label: string;
    role: Role;
    created_at: string;
    expires_at: string;
    revoked_at: string | null;
  };
  /** Who sees a folder; one that is not named here is seen by everybody who is signed in. */
  folder_role: {
    /** Real path of the folder, or address of the bucket. */
    address: string;
    /** The least role that sees it. */
    role: Role;
    changed_at: string;
    /** Name of the admin. */
    changed_by: string;
  };
  audit_event: {
    seq: Generated<number>;
    created_at: string;
    account_id: string | null;
    account_name: string | null;
    address: string;
    outcome: "allowed" | "refused";
    action: string;
    detail: string | null;
  };
}

/** What a backup needs to know of the store. */
export const ACCOUNT_STORE: StoreKind = { name: "accounts", place: PLACE, listMigrations };

/** The store of accounts, sessions, invitations, tokens and the audit log; verbs take it as their first argument. */
export type AccountStore = StoreOnUse<AccountTables>;

/** The accounts at a place, see `openOnUse`. @throws StoreError on use, never here */
export function openAccountStore(target: DatabaseTarget): AccountStore {
  return openOnUse(target, listMigrations);
}

/** The store that an environment names; whoever opens it closes it. */
export function openAccountStoreOf(environment: Readonly<Record<string, string | undefined>>): AccountStore {
  return openAccountStore(resolveTarget(PLACE, environment));
}

declare global {
  var assayAccountStore: AccountStore | undefined;
}

/** The store that the environment names, opened once a process. */
export function getAccountStore(): AccountStore {
  return (globalThis.assayAccountStore ??= openAccountStoreOf(process.env));
}

/** Returns what sessions are signed with, made at the first use and the same for every process on the store. @throws StoreError */
export async function readServerSecret(store: AccountStore): Promise<string> {
  return store.write(async ({ db }) => {
    await db
      .insertInto("server_secret")
      .values({ id: 1, secret: randomBytes(32).toString("base64url") })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { secret } = await db.selectFrom("server_secret").select("secret").executeTakeFirstOrThrow();
    return secret;
  });
}
