import { randomBytes } from "node:crypto";

import type { Generated } from "kysely";

import type { Role } from "@/lib/core/domain/account";
import {
  type DatabaseTarget,
  openOnUse,
  resolveTarget,
  type StoreKind,
  type StoreOnUse,
} from "@/lib/store/database";

import { listMigrations } from "./migrations";

const PLACE = { fileName: "accounts.sqlite", schema: "assay_accounts", synchronous: "EXTRA" } as const;

/** Times are UTC in ISO 8601. Better Auth's tables list only the columns used here. */
export interface AccountTables {
  user: {
    id: string;
    name: string;
    email: string;
    emailVerified: number;
    createdAt: string;
    updatedAt: string;
    /** The name as of `computeReviewerKey`, so that no two accounts pass for one reviewer. */
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
    created_by: string;
    expires_at: string;
    revoked_at: string | null;
    accepted_at: string | null;
    accepted_by: string | null;
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
  /** Unlisted folders are visible to every signed-in account. */
  folder_role: {
    /** Real path of the folder, or address of the bucket. */
    address: string;
    role: Role;
    changed_at: string;
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

export const ACCOUNT_STORE: StoreKind = { name: "accounts", place: PLACE, listMigrations };

export type AccountStore = StoreOnUse<AccountTables>;

/** @throws StoreError on use, never here */
export function openAccountStore(target: DatabaseTarget): AccountStore {
  return openOnUse(target, listMigrations);
}

export function openAccountStoreOf(environment: Readonly<Record<string, string | undefined>>): AccountStore {
  return openAccountStore(resolveTarget(PLACE, environment));
}

declare global {
  var assayAccountStore: AccountStore | undefined;
}

export function getAccountStore(): AccountStore {
  return (globalThis.assayAccountStore ??= openAccountStoreOf(process.env));
}

/** Made at first use and shared by all processes on the store. @throws StoreError */
export async function readServerSecret(store: AccountStore): Promise<string> {
  const known = await store.read(undefined, ({ db }) =>
    db.selectFrom("server_secret").select("secret").executeTakeFirst(),
  );
  if (known !== undefined) return known.secret;
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
