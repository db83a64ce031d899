import type { Kysely } from "kysely";
import { z } from "zod";

import { type Account, type Role, SENDER_HEADER } from "@/lib/domain/account";
import { computeReviewerKey, DRAFT_LIMITS } from "@/lib/domain/annotation";
import { getBasePath } from "@/lib/domain/base-path";

import { nameCookies } from "./secrets";
import type { AccountStore, AccountTables } from "./store";

/** Where the library's own addresses are. */
export const SESSION_PATH = "/api/auth";

/** Tries at a password from one address; about the default of the library, but over a minute. */
const SIGN_IN_LIMIT = { window: 60, max: 10 } as const;

/** Sessions of people who signed in. */
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
  /**
   * Begins a session of somebody who proved in another way than by a password who they are.
   *
   * @param headers - address and browser of whoever asks
   * @returns its cookies; none for an account that was blocked or removed meanwhile
   * @throws StoreError
   */
  readonly begin: (userId: string, headers: Headers, isOverTls: boolean) => Promise<readonly string[]>;
}

/**
 * Sessions in a store, by Better Auth: scrypt for passwords, signed cookies that no script reads, a week that each day of use
 * begins anew, ten tries a minute from one address. It asks no other host for anything.
 *
 * @param secret - what cookies are signed with, the same at every server on the store
 * @param hasPasswords - whether passwords let anybody in
 */
export async function openSessions(
  store: AccountStore,
  secret: string,
  hasPasswords: boolean,
): Promise<Sessions> {
  const makeAuth = await prepareAuth(secret, hasPasswords);
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
    begin: (userId, headers, isOverTls) =>
      store.write(async ({ db }) => {
        const { api } = authOf(db, isOverTls);
        const begun = await api.beginSession({ body: { userId }, headers, returnHeaders: true });
        return begun.response.isBegun ? begun.headers.getSetCookie() : [];
      }),
  };
}

/** The library is loaded where accounts are: most programs have none. */
async function prepareAuth(secret: string, hasPasswords: boolean) {
  const [{ betterAuth }, { APIError, createAuthEndpoint }, { setSessionCookie }, { username }] =
    await Promise.all([
      import("better-auth"),
      import("better-auth/api"),
      import("better-auth/cookies"),
      import("better-auth/plugins/username"),
    ]);
  // Only this program calls it: no address leads there.
  const beginSession = createAuthEndpoint.serverOnly(
    { method: "POST", body: z.object({ userId: z.string() }) },
    async (call) => {
      const { internalAdapter } = call.context;
      const user = await internalAdapter.findUserById(call.body.userId);
      if (user === null || ("blockedAt" in user && user.blockedAt)) return { isBegun: false };
      await setSessionCookie(call, { session: await internalAdapter.createSession(user.id), user });
      return { isBegun: true };
    },
  );
  return (db: Kysely<AccountTables>, isOverTls: boolean) =>
    betterAuth({
      appName: "Assay",
      secret,
      basePath: SESSION_PATH,
      // Of SQLite on either engine: see the tables.
      database: { db, type: "sqlite" },
      emailAndPassword: { enabled: hasPasswords, disableSignUp: true },
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
        { id: "begin-session", endpoints: { beginSession } },
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
        cookiePrefix: nameCookies(secret),
        useSecureCookies: isOverTls,
        defaultCookieAttributes: { path: getBasePath() || "/" },
        ipAddress: { ipAddressHeaders: [SENDER_HEADER] },
      },
      telemetry: { enabled: false },
      logger: { disabled: true },
    });
}
