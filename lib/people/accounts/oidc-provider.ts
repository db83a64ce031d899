import type { Configuration, CustomFetchOptions, ServerMetadata } from "openid-client";
import { z } from "zod";

import type { SignInProblem } from "@/lib/core/domain/sign-in-problem";

import type { OidcSettings } from "./oidc-settings";

const TIMEOUT_S = 10;
const TOLERANCE_S = 30;
/** Bytes of one answer. Discovery documents and keys of large providers have 20 KB. */
const MOST_BYTES = 1 << 20;
/** OpenID Connect Core 1.0, section 2. PostgreSQL stores no NUL. */
const SUBJECT = /^[^\0]{1,255}$/;

export class SignInRefusal extends Error {
  readonly problem: SignInProblem;
  readonly account: { readonly id: string; readonly name: string } | null;

  /** `cause` is for the audit log and must not contain secrets. */
  constructor(problem: SignInProblem, cause = "", account: SignInRefusal["account"] = null) {
    super(cause);
    this.problem = problem;
    this.account = account;
  }
}

export interface Ties {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

export type Person = Awaited<ReturnType<typeof exchange>>;

type ProviderProbe =
  | { readonly ok: true }
  /** `isReached` separates a provider that answers wrongly from one that does not answer. */
  | { readonly ok: false; readonly isReached: boolean; readonly problem: string; readonly remedy: string };

const text = z.string().catch("");
const claimsForm = z.looseObject({
  email: text,
  // Some providers send a string.
  email_verified: z
    .union([z.literal(true), z.literal("true")])
    .optional()
    .catch(undefined),
  name: text,
  preferred_username: text,
});
const groupsForm = z.union([z.string().transform((group) => [group]), z.array(z.string())]).catch([]);

/** Uses the code flow with PKCE, state and nonce. Follows no redirect. */
export function openProvider(settings: OidcSettings) {
  let asking: Promise<Configuration> | null = null;
  let last: Configuration | null = null;
  // Requested for each sign-in, so that an outage is reported before the browser leaves; one request at a time.
  const discover = (): Promise<Configuration> =>
    (asking ??= askForConfiguration(settings)
      .then((configuration) => (last = configuration))
      .finally(() => {
        asking = null;
      }));
  return {
    probe: async (): Promise<ProviderProbe> => {
      try {
        await discover();
        return { ok: true };
      } catch (error) {
        return describeDiscovery(error, settings);
      }
    },
    begin: async (redirectUri: string) => {
      const client = await import("openid-client");
      const configuration = await discover().catch((error: unknown) => {
        throw new SignInRefusal("unreachable", describe(error));
      });
      const verifier = client.randomPKCECodeVerifier();
      const ties: Ties = { state: client.randomState(), nonce: client.randomNonce(), verifier, redirectUri };
      const { href } = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: listScopes(settings, configuration.serverMetadata()),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state: ties.state,
        nonce: ties.nonce,
      });
      return { location: href, ties };
    },
    /** Checks signature, issuer, audience, nonce and times. */
    finish: async (search: string, ties: Ties): Promise<Person> => {
      try {
        return await exchange(last ?? (await discover()), search, ties, settings);
      } catch (error) {
        if (error instanceof SignInRefusal) throw error;
        throw new SignInRefusal(await classify(error), describe(error));
      }
    },
  };
}

async function askForConfiguration({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  // Loaded on use, because most programs have no provider.
  const client = await import("openid-client");
  const configuration = await client.discovery(
    issuer,
    clientId,
    { [client.clockTolerance]: TOLERANCE_S },
    // The provider's metadata tells which of the two methods it accepts.
    (server, ...rest) => {
      const isPost = server.token_endpoint_auth_methods_supported?.includes("client_secret_basic") === false;
      const authenticate = isPost ? client.ClientSecretPost : client.ClientSecretBasic;
      authenticate(clientSecret)(server, ...rest);
    },
    {
      timeout: TIMEOUT_S,
      [client.customFetch]: fetchBounded,
      // Otherwise TLS alone would authenticate an ID token.
      execute: [
        client.enableNonRepudiationChecks,
        // oxlint-disable-next-line typescript/no-deprecated -- marked so only to stand out; the settings allow it on this machine only
        ...(issuer.protocol === "http:" ? [client.allowInsecureRequests] : []),
      ],
    },
  );
  const metadata = configuration.serverMetadata();
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const)
    if (!/^https?:$/.test(URL.parse(String(metadata[name]))?.protocol ?? ""))
      throw new Error(`the document has no URL as ${name}`);
  return configuration;
}

async function fetchBounded(url: string, options: CustomFetchOptions): Promise<Response> {
  const response = await fetch(url, options as RequestInit); // Only a missing body is typed otherwise.
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > MOST_BYTES)
      throw new TypeError("answer refused", { cause: new Error(`it is longer than ${MOST_BYTES} bytes`) });
    pieces.push(piece);
  }
  return new Response(length === 0 ? null : Buffer.concat(pieces), response);
}

/** Some providers send groups only for a scope of that name. */
function listScopes({ roles, groupsClaim }: OidcSettings, { scopes_supported = [] }: ServerMetadata): string {
  const asksForGroups = roles.length > 0 && scopes_supported.includes(groupsClaim);
  return ["openid", "email", "profile", ...(asksForGroups ? [groupsClaim] : [])].join(" ");
}

async function exchange(
  configuration: Configuration,
  search: string,
  { state, nonce, verifier, redirectUri }: Ties,
  { roles, groupsClaim }: OidcSettings,
) {
  const client = await import("openid-client");
  const tokens = await client.authorizationCodeGrant(configuration, new URL(search, redirectUri), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const proven = tokens.claims();
  if (proven === undefined) throw new Error("there is no ID token");
  if (!SUBJECT.test(proven.sub)) throw new Error("the subject does not have 1 to 255 characters");
  if (proven.iat > Date.now() / 1000 + TOLERANCE_S)
    throw new SignInRefusal("clock", "the ID token was issued in the future");
  const isWhole = proven["email"] !== undefined && (roles.length === 0 || proven[groupsClaim] !== undefined);
  const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
  const more =
    isWhole || !hasMore ? {} : await client.fetchUserInfo(configuration, tokens.access_token, proven.sub);
  const claims = claimsForm.parse({ ...more, ...proven });
  return {
    subject: proven.sub,
    // Null if missing or not stated as verified.
    email: claims.email_verified === undefined ? null : claims.email.toLowerCase() || null,
    name: claims.name || claims.preferred_username,
    groups: groupsForm.parse(claims[groupsClaim]),
  };
}

const DENIALS = new Set(["access_denied", "login_required", "interaction_required", "consent_required"]);
const OVERLOADS = new Set(["server_error", "temporarily_unavailable"]);
const SILENCES = new Set(["OAUTH_TIMEOUT", "OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_RESPONSE_IS_NOT_JSON"]);

async function classify(error: unknown): Promise<SignInProblem> {
  const { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError, ClientError } =
    await import("openid-client");
  if (error instanceof WWWAuthenticateChallengeError) return "client";
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    if (DENIALS.has(error.error)) return "denied";
    if (OVERLOADS.has(error.error)) return "unreachable";
    return error.error === "invalid_grant" ? "expired" : "client";
  }
  if (!(error instanceof ClientError)) return isOfNetwork(error) ? "unreachable" : "rejected";
  if (error.code === "OAUTH_JWT_TIMESTAMP_CHECK_FAILED") return "clock";
  return SILENCES.has(error.code ?? "") ? "unreachable" : "rejected";
}

function isOfNetwork(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof Error;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const parts = [error.message];
  if ("error" in error && typeof error.error === "string") parts.push(error.error);
  if (error.cause instanceof Error) parts.push(error.cause.message);
  return parts.join(": ");
}

function describeDiscovery(error: unknown, { name, issuer }: OidcSettings): ProviderProbe {
  const place = `${issuer.href.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const isReached = !isOfNetwork(error) && code !== "OAUTH_TIMEOUT";
  const as = isReached ? ` as the OpenID Connect provider ${issuer.href}` : "";
  return {
    ok: false,
    isReached,
    problem: `${name} does not answer at ${place}${as}: ${describe(error)}.`,
    remedy: isReached
      ? "Set ASSAY_OIDC_ISSUER to the exact issuer in that document, with or without a trailing slash."
      : "Check that it runs and that this machine can reach it. Until then, signing in through it fails.",
  };
}
