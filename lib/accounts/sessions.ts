import { createHash } from "node:crypto";

import type { Kysely } from "kysely";

import { type Account, type Role } from "@/lib/domain/account";
import { computeReviewerKey, DRAFT_LIMITS } from "@/lib/domain/annotation";
import { getBasePath } from "@/lib/domain/base-path";

import type { AccountStore, AccountTables } from "./store";

/** Where the library's own addresses are. */
export const SESSION_PATH = "/api/auth";

/** Header with the address of whoever asks, which only the server writes. */
export const ADDRESS_HEADER = "x-assay-address";

/** Tries at a password from one address; about the default of the library, but over a minute. */
const SIGN_IN_LIMIT = { window: 60, max: 10 } as const;

/** Sessions of people who signed in with a password. */
export interface Sessions {
  /**
   * Returns whose session a request brings, null for none, with the cookies that prolong it.
   *
   * @throws StoreError
   */
  readonly read: (
    headers: Headers,
    isOverTls: boolean,
  ) => Promise<{ readonly account: Account | null; readonly cookies: readonly string[] }>;
  /** Answers a request to an address below {@link SESSION_PATH}. @throws StoreError */
  readonly answer: (request: Request, isOverTls: boolean) => Promise<Response>;
}

/**
 * Sessions in a store, by Better Auth: scrypt for passwords, signed cookies that no script reads, a week that each day of use
 * begins anew, ten tries a minute from one address. It asks no other host for anything.
 *
 * @param secret - what cookies are signed with, the same at every server on the store
 */
export async function openSessions(store: AccountStore, secret: string): Promise<Sessions> {
  const makeAuth = await prepareAuth(secret);
  const made = new WeakMap<Kysely<AccountTables>, Map<boolean, ReturnType<typeof makeAuth>>>();
  const authOf = (db: Kysely<AccountTables>, isOverTls: boolean) => {
    const own = made.get(db) ?? new Map<boolean, ReturnType<typeof makeAuth>>();
    const auth = own.get(isOverTls) ?? makeAuth(db, isOverTls);
    made.set(db, own.set(isOverTls, auth));
    return auth;
  };
  return {
    read: (headers, isOverTls) =>
      store.write(async ({ db }) => {
        const { response, headers: sent } = await authOf(db, isOverTls).api.getSession({
          headers,
          returnHeaders: true,
        });
        if (response === null || response.user.blockedAt) return { account: null, cookies: [] };
        const { id, name, role } = response.user;
        // The table takes no other.
        return { account: { id, name, role: role as Role }, cookies: sent.getSetCookie() };
      }),
    answer: (request, isOverTls) => store.write(({ db }) => authOf(db, isOverTls).handler(request)),
  };
}

/** The library is loaded where accounts are: most programs have none. */
async function prepareAuth(secret: string) {
  const [{ betterAuth }, { APIError }, { username }] = await Promise.all([
    import("better-auth"),
    import("better-auth/api"),
    import("better-auth/plugins/username"),
  ]);
  return (db: Kysely<AccountTables>, isOverTls: boolean) =>
    betterAuth({
      appName: "Assay",
      secret,
      basePath: SESSION_PATH,
      // Of SQLite on either engine: see the tables.
      database: { db, type: "sqlite" },
      emailAndPassword: { enabled: true, disableSignUp: true },
      user: {
        additionalFields: {
          role: { type: "string", input: false },
          blockedAt: { type: "string", required: false, input: false },
        },
      },
      plugins: [
        username({
          displayUsername: false,
          minUsernameLength: 1,
          maxUsernameLength: DRAFT_LIMITS.reviewerId,
          usernameNormalization: computeReviewerKey,
          usernameValidator: () => true,
        }),
      ],
      rateLimit: {
        enabled: true,
        storage: "database",
        customRules: { "/sign-in/username": SIGN_IN_LIMIT, "/change-password": SIGN_IN_LIMIT },
      },
      databaseHooks: {
        session: {
          create: {
            before: async ({ userId }) => {
              const user = await db
                .selectFrom("user")
                .select("blockedAt")
                .where("id", "=", userId)
                .executeTakeFirst();
              if (user === undefined || user.blockedAt !== null)
                throw new APIError("FORBIDDEN", { message: "This account is blocked. Ask an admin." });
            },
          },
        },
      },
      advanced: {
        // Cookies know no ports: two stores under one host name keep theirs apart.
        cookiePrefix: `assay-${createHash("sha256").update(secret).digest("hex").slice(0, 8)}`,
        useSecureCookies: isOverTls,
        defaultCookieAttributes: { path: getBasePath() || "/" },
        ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      },
      telemetry: { enabled: false },
      logger: { disabled: true },
    });
}
