import type { Generated, Transaction } from "kysely";

import type { Role } from "@/lib/core/domain/account";
import {
  type DatabaseTarget,
  openOnUse,
  resolveTarget,
  runStatements,
  type StoreKind,
  type StoreOnUse,
  type Migrations,
} from "@/lib/store/database";

import { makeSecret } from "./secrets";

/** Better Auth's own tables, equal on both engines so that backups are portable: times are ISO 8601 texts, booleans 0 or 1. */
const LIBRARY_TABLES: readonly string[] = [
  `CREATE TABLE "user" (
     "id" TEXT NOT NULL PRIMARY KEY,
     "name" TEXT NOT NULL CHECK ("name" <> ''),
     "email" TEXT NOT NULL UNIQUE,
     "emailVerified" INTEGER NOT NULL,
     "image" TEXT,
     "createdAt" TEXT NOT NULL,
     "updatedAt" TEXT NOT NULL,
     "username" TEXT UNIQUE,
     "role" TEXT NOT NULL CHECK ("role" IN ('viewer', 'reviewer', 'adjudicator', 'admin')),
     "blockedAt" TEXT
   )`,
  `CREATE TABLE "session" (
     "id" TEXT NOT NULL PRIMARY KEY,
     "expiresAt" TEXT NOT NULL,
     "token" TEXT NOT NULL UNIQUE,
     "createdAt" TEXT NOT NULL,
     "updatedAt" TEXT NOT NULL,
     "ipAddress" TEXT,
     "userAgent" TEXT,
     "userId" TEXT NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE
   )`,
  `CREATE INDEX "session_userId_idx" ON "session" ("userId")`,
  `CREATE TABLE "account" (
     "id" TEXT NOT NULL PRIMARY KEY,
     "accountId" TEXT NOT NULL,
     "providerId" TEXT NOT NULL,
     "userId" TEXT NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
     "accessToken" TEXT,
     "refreshToken" TEXT,
     "idToken" TEXT,
     "accessTokenExpiresAt" TEXT,
     "refreshTokenExpiresAt" TEXT,
     "scope" TEXT,
     "password" TEXT,
     "createdAt" TEXT NOT NULL,
     "updatedAt" TEXT NOT NULL
   )`,
  `CREATE INDEX "account_userId_idx" ON "account" ("userId")`,
  // Two concurrent first sign-ins must share one account.
  `CREATE UNIQUE INDEX "account_identity_idx" ON "account" ("providerId", "accountId")`,
  `CREATE TABLE "verification" (
     "id" TEXT NOT NULL PRIMARY KEY,
     "identifier" TEXT NOT NULL,
     "value" TEXT NOT NULL,
     "expiresAt" TEXT NOT NULL,
     "createdAt" TEXT NOT NULL,
     "updatedAt" TEXT NOT NULL
   )`,
  `CREATE INDEX "verification_identifier_idx" ON "verification" ("identifier")`,
];

/** `number` is the column type of row numbers, `long` that of milliseconds. */
function listOwnTables(number: string, long: string): readonly string[] {
  return [
    `CREATE TABLE "rateLimit" (
       "id" TEXT NOT NULL PRIMARY KEY,
       "key" TEXT NOT NULL UNIQUE,
       "count" INTEGER NOT NULL,
       "lastRequest" ${long} NOT NULL
     )`,
    `CREATE TABLE server_secret (
       id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
       secret TEXT NOT NULL
     )`,
    `CREATE TABLE invitation (
       id TEXT NOT NULL PRIMARY KEY,
       token_hash TEXT NOT NULL UNIQUE,
       role TEXT NOT NULL,
       created_at TEXT NOT NULL,
       created_by TEXT NOT NULL,
       expires_at TEXT NOT NULL,
       revoked_at TEXT,
       accepted_at TEXT,
       accepted_by TEXT
     )`,
    `CREATE TABLE api_token (
       id TEXT NOT NULL PRIMARY KEY,
       token_hash TEXT NOT NULL UNIQUE,
       user_id TEXT NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
       label TEXT NOT NULL,
       role TEXT NOT NULL,
       created_at TEXT NOT NULL,
       expires_at TEXT NOT NULL,
       revoked_at TEXT
     )`,
    `CREATE INDEX api_token_by_user ON api_token (user_id)`,
    `CREATE TABLE audit_event (
       seq ${number},
       created_at TEXT NOT NULL,
       account_id TEXT,
       account_name TEXT,
       address TEXT NOT NULL,
       outcome TEXT NOT NULL CHECK (outcome IN ('allowed', 'refused')),
       action TEXT NOT NULL,
       detail TEXT
     )`,
  ];
}

const APPEND_ONLY_ON_SQLITE = ["UPDATE", "DELETE"].map(
  (change) =>
    `CREATE TRIGGER audit_event_no_${change.toLowerCase()} BEFORE ${change} ON audit_event
       BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END`,
);

const APPEND_ONLY_ON_POSTGRES: readonly string[] = [
  `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$`,
  `CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
];

/** Never edit a released migration: add a new one. */
function listMigrations(engine: DatabaseTarget["engine"]): Migrations {
  const statements =
    engine === "sqlite"
      ? [
          ...[...LIBRARY_TABLES, ...listOwnTables("INTEGER PRIMARY KEY AUTOINCREMENT", "INTEGER")].map(
            (text) => (text.startsWith("CREATE TABLE") ? `${text} STRICT` : text),
          ),
          ...APPEND_ONLY_ON_SQLITE,
        ]
      : [
          ...LIBRARY_TABLES,
          ...listOwnTables("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "BIGINT"),
          ...APPEND_ONLY_ON_POSTGRES,
        ];
  return {
    "001_accounts": runStatements(statements),
    "002_folder_roles": runStatements([
      `CREATE TABLE folder_role (
         address TEXT NOT NULL PRIMARY KEY,
         role TEXT NOT NULL CHECK (role IN ('viewer', 'reviewer', 'adjudicator', 'admin')),
         changed_at TEXT NOT NULL,
         changed_by TEXT NOT NULL
       )${engine === "sqlite" ? " STRICT" : ""}`,
    ]),
    "003_invitation_label": runStatements(["ALTER TABLE invitation ADD COLUMN label TEXT"]),
  };
}

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

export function transact<T>(
  store: AccountStore,
  work: (db: Transaction<AccountTables>, engine: DatabaseTarget["engine"]) => Promise<T>,
): Promise<T> {
  return store.write(({ db, engine }) =>
    db.transaction().execute((transaction) => work(transaction, engine)),
  );
}

/** Made at first use and shared by all processes on the store. */
export async function readServerSecret(store: AccountStore): Promise<string> {
  const known = await store.read(undefined, ({ db }) =>
    db.selectFrom("server_secret").select("secret").executeTakeFirst(),
  );
  if (known !== undefined) return known.secret;
  return store.write(async ({ db }) => {
    await db
      .insertInto("server_secret")
      .values({ id: 1, secret: makeSecret() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { secret } = await db.selectFrom("server_secret").select("secret").executeTakeFirstOrThrow();
    return secret;
  });
}
