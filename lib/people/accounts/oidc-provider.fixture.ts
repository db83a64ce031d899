import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import { Provider } from "oidc-provider";

/** The provider's claims about a user. */
export type Claims = Readonly<Record<string, unknown>>;

/** A real provider of OpenID Connect on this machine, whose people sign in by typing who they are. */
export interface RunningProvider {
  readonly issuer: string;
  /** By typed name. */
  readonly people: Record<string, Claims>;
  /** Its faults from now on; none if empty. */
  faults: {
    /** Claims of ID tokens in place of the right ones; signed as all are. */
    readonly claims?: Claims;
    /** Signs with a key that it does not publish. */
    readonly isForged?: boolean;
    /** Says a code that was used or is too old. */
    readonly hasStaleCodes?: boolean;
  };
  /** Assay's settings for it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Stops answering; safe to call twice. */
  readonly close: () => Promise<void>;
}

const CLIENT = { id: "assay", secret: "not-to-be-shown-anywhere" } as const;
const CALLBACK = /^https?:\/\/[\w.-]+(?::\d+)?(?:\/assay)?\/api\/auth\/oidc\/callback$/;

/** Starts a provider that knows Assay at any address of this machine. */
export async function startOidcProvider(people: Record<string, Claims>): Promise<RunningProvider> {
  let answer = (_: IncomingMessage, response: ServerResponse): void => void response.end();
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const issuer = `http://localhost:${typeof address === "object" ? String(address?.port) : ""}`;
  const [key, otherKey] = [makeKey(), makeKey()];
  const running: RunningProvider = {
    ...{ issuer, people, faults: {} },
    environment: {
      ASSAY_OIDC_ISSUER: issuer,
      ASSAY_OIDC_CLIENT_ID: CLIENT.id,
      ASSAY_OIDC_CLIENT_SECRET: CLIENT.secret,
      ASSAY_OIDC_NAME: "Example Login",
    },
    close: async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise((closed) => server.close(closed));
    },
  };
  const provider: Provider = new Provider(issuer, {
    // Any address that it is at is taken below.
    clients: [
      { client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: ["http://localhost/unused"] },
    ],
    jwks: { keys: [{ ...key.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name"],
      groups: ["groups"],
    },
    scopes: ["openid", "email", "profile", "groups"],
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...running.people[sub] }) }),
    // The provider asks no one for consent.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: CLIENT.id,
        ...(oidc.session?.accountId === undefined ? {} : { accountId: oidc.session.accountId }),
      });
      grant.addOIDCScope("openid email profile groups");
      await grant.save();
      return grant;
    },
  });
  provider.Client.prototype.redirectUriAllowed = (uri) => CALLBACK.test(uri);
  provider.use(async (context, next) => {
    const { claims, isForged = false, hasStaleCodes = false } = running.faults;
    await next();
    const body = context.body as { id_token?: string } | undefined;
    if (body?.id_token === undefined) return;
    if (hasStaleCodes) {
      context.status = 400;
      context.body = { error: "invalid_grant", error_description: "grant request is invalid" };
    } else body.id_token = changeToken(body.id_token, claims ?? {}, isForged ? otherKey : key);
  });
  const handle = provider.callback();
  answer = (request, response) => {
    if (request.url?.startsWith("/interaction/") === true) void interact(provider, request, response);
    else void handle(request, response);
  };
  return running;
}

function makeKey() {
  return generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
}

function changeToken(token: string, claims: Claims, key: ReturnType<typeof makeKey>): string {
  const [header = "", payload = ""] = token.split(".");
  const said = JSON.parse(Buffer.from(payload, "base64url").toString()) as Claims; // The provider's own.
  const changed = Buffer.from(JSON.stringify({ ...said, ...claims })).toString("base64url");
  const signature = sign("sha256", Buffer.from(`${header}.${changed}`), key).toString("base64url");
  return `${header}.${changed}.${signature}`;
}

async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== "POST") {
    response.setHeader("content-type", "text/html; charset=utf-8").end(
      `<!doctype html><html lang="en"><title>Example Login</title><h1>Example Login</h1><form method="post">
       <label>Who are you? <input name="login" autofocus></label> <button>Sign in</button>
       <button name="stop" value="1">Stop</button></form></html>`,
    );
    return;
  }
  const form = new URLSearchParams(await text(request));
  await provider.interactionFinished(
    request,
    response,
    form.has("stop")
      ? { error: "access_denied", error_description: "stopped" }
      : { login: { accountId: form.get("login") ?? "", remember: false } },
  );
}

/** Signs in at a provider without a browser. @param login - null to stop there @returns where the browser is sent back to */
export async function signInAtProvider(location: string, login: string | null): Promise<string> {
  const cookies = new Map<string, string>();
  const ask = async (url: string, body?: URLSearchParams): Promise<string> => {
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
      ...(body === undefined ? {} : { method: "POST", body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
      cookies.set(name, value);
    }
    const next = response.headers.get("location");
    if (next === null) throw new Error(`${url} answers ${String(response.status)}: ${await response.text()}`);
    return new URL(next, url).href;
  };
  const interaction = await ask(location);
  const resumed = await ask(interaction, new URLSearchParams(login === null ? { stop: "1" } : { login }));
  return ask(resumed);
}
