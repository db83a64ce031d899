import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Claims, or any other object that a provider sends. */
type Json = Readonly<Record<string, unknown>>;

/** A provider of OpenID Connect that says and does anything. */
export interface HostileProvider {
  readonly issuer: string;
  /** Assay's settings for it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its behaviour from now on; empty for an honest provider. */
  faults: Faults;
  /** Paths that were asked for since the start. */
  readonly asked: readonly string[];
  /** Follows an address of a sign-in. @returns where the browser is sent back to */
  readonly signIn: (location: string) => string;
  readonly close: () => Promise<void>;
}

export interface Faults {
  readonly discovery?: Json;
  readonly claims?: Json;
  readonly header?: Json;
  /** Signs the first two parts of an ID token in its own way. */
  readonly signature?: (input: string, publicKey: KeyObject) => string;
  readonly keys?: readonly Json[];
  readonly token?: Json;
  readonly userinfo?: Json;
  /** Answers a path in its own way. */
  readonly answer?: Readonly<Record<string, (response: ServerResponse) => void>>;
}

export const DISCOVERY = "/.well-known/openid-configuration";
const SUBJECT = "mallory";

/** Starts it; each ID token has the nonce that is in its code. */
export async function startHostileProvider(): Promise<HostileProvider> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    asked.push(pathname);
    const own = running.faults.answer?.[pathname];
    if (own === undefined) void answer(pathname, request, response);
    else own(response);
  });
  const answer = async (path: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { discovery, keys, token, userinfo } = running.faults;
    if (path === DISCOVERY) json(response, { ...honestDiscovery(issuer), ...discovery });
    else if (path === "/jwks") {
      const key = { ...publicKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" };
      json(response, { keys: keys ?? [key] });
    } else if (path === "/userinfo") json(response, { sub: SUBJECT, ...userinfo });
    else if (path === "/token") {
      const code = new URLSearchParams(await text(request)).get("code") ?? "";
      const id_token = makeToken(issuer, code, running.faults, privateKey, publicKey);
      json(response, { access_token: "a", token_type: "Bearer", id_token, ...token });
    } else response.writeHead(404).end();
  };
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
  const issuer = `http://localhost:${String((server.address() as AddressInfo).port)}`;
  const running: HostileProvider = {
    ...{ issuer, faults: {}, asked },
    environment: {
      ASSAY_OIDC_ISSUER: issuer,
      ASSAY_OIDC_CLIENT_ID: "assay",
      ASSAY_OIDC_CLIENT_SECRET: "not-to-be-shown-anywhere",
      ASSAY_OIDC_NAME: "Example Login",
      ASSAY_OIDC_NEW_PEOPLE: "viewer",
    },
    signIn: (location) => {
      const { searchParams } = new URL(location);
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.search = new URLSearchParams({
        code: searchParams.get("nonce") ?? "",
        state: searchParams.get("state") ?? "",
      }).toString();
      return back.href;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return running;
}

function json(response: ServerResponse, body: unknown): void {
  response.setHeader("content-type", "application/json").end(JSON.stringify(body));
}

function honestDiscovery(issuer: string): Json {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}

function makeToken(
  issuer: string,
  nonce: string,
  { header, claims, signature }: Faults,
  privateKey: KeyObject,
  publicKey: KeyObject,
): string {
  const now = Math.floor(Date.now() / 1000);
  const honest = { iss: issuer, aud: "assay", sub: SUBJECT, nonce, iat: now, exp: now + 60 };
  const person = { email: "mallory@example.org", email_verified: true, name: "Mallory" };
  const parts = [
    { alg: "RS256", kid: "one", ...header },
    { ...honest, ...person, ...claims },
  ];
  const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const own = signature?.(input, publicKey);
  return `${input}.${own ?? sign("sha256", Buffer.from(input), privateKey).toString("base64url")}`;
}

/** Signs with the public key as if it were a secret. */
export function signWithPublicKey(input: string, publicKey: KeyObject): string {
  const secret = publicKey.export({ format: "pem", type: "spki" });
  return createHmac("sha256", secret).update(input).digest("base64url");
}
