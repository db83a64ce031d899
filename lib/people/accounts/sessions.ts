import type { Kysely } from "kysely";
import { z } from "zod";

import { type Account, type Role, SENDER_HEADER } from "@/lib/core/domain/account";
import { computeReviewerKey, DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { getBasePath } from "@/lib/core/domain/base-path";
import { oncePer } from "@/lib/core/domain/once-per";

import { nameCookies } from "./secrets";
import type { AccountStore, AccountTables } from "./store";

export const SESSION_PATH = "/api/auth";

/** Per address: about the library's default rate, but over a minute. */
const SIGN_IN_LIMIT = { window: 60, max: 10 } as const;

export type Sessions = Awaited<ReturnType<typeof openSessions>>;

/** Uses scrypt and signed HTTP-only cookies. A session lasts one week, renewed by each day of use. Contacts no other host. */
export async function openSessions(store: AccountStore, secret: string, hasPasswords: boolean) {
  const makeAuth = await prepareAuth(secret, hasPasswords);
  const authsOf = oncePer((db: Kysely<AccountTables>) => ({
    tls: makeAuth(db, true),
    plain: makeAuth(db, false),
  }));
  const authOf = (db: Kysely<AccountTables>, isOverTls: boolean) => authsOf(db)[isOverTls ? "tls" : "plain"];
  return {
    read: (headers: Headers, isOverTls: boolean) =>
      store.write(async ({ db }): Promise<{ account: Account | null; cookies: readonly string[] }> => {
        const { response, headers: sent } = await authOf(db, isOverTls).api.getSession({
          headers,
          returnHeaders: true,
        });
        if (response === null || response.user.blockedAt) return { account: null, cookies: [] };
        const { id, name, role } = response.user;
        return { account: { id, name, role: role as Role }, cookies: sent.getSetCookie() };
      }),
    answer: (request: Request, isOverTls: boolean): Promise<Response> =>
      store.write(({ db }) => authOf(db, isOverTls).handler(request)),
    /** For users proven otherwise than by password. No cookies if the user was blocked or removed meanwhile. */
    begin: (userId: string, headers: Headers, isOverTls: boolean): Promise<readonly string[]> =>
      store.write(async ({ db }) => {
        const { api } = authOf(db, isOverTls);
        const begun = await api.beginSession({ body: { userId }, headers, returnHeaders: true });
        return begun.response.isBegun ? begun.headers.getSetCookie() : [];
      }),
  };
}

/** Loaded on use, because most programs have no accounts. */
async function prepareAuth(secret: string, hasPasswords: boolean) {
  const [{ betterAuth }, { APIError, createAuthEndpoint }, { setSessionCookie }, { username }] =
    await Promise.all([
      import("better-auth"),
      import("better-auth/api"),
      import("better-auth/cookies"),
      import("better-auth/plugins/username"),
    ]);
  // Server-only: no route leads there.
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
      // The SQLite dialect on either engine: see the tables.
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
