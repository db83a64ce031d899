import { readFileSync } from "node:fs";

import { type Role, ROLES } from "@/lib/core/domain/account";
import { ValidationError } from "@/lib/core/domain/app-error";

type Environment = Readonly<Record<string, string | undefined>>;

export type OidcSettings = NonNullable<ReturnType<typeof readOidcSettings>>;

export type SignInWays = ReturnType<typeof readSignInWays>;

const PREFIX = "ASSAY_OIDC_";
const NAMES = [
  "ISSUER",
  "CLIENT_ID",
  "CLIENT_SECRET",
  "CLIENT_SECRET_FILE",
  "NAME",
  "DOMAINS",
  "GROUPS_CLAIM",
  "ROLES",
  "NEW_PEOPLE",
] as const;
const DISCOVERY = /\/\.well-known\/openid-configuration\/?$/;
const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Null if unset. */
export function readOidcSettings(environment: Environment) {
  const read = (name: (typeof NAMES)[number]): string => environment[PREFIX + name]?.trim() ?? "";
  const given = Object.keys(environment).filter((name) => name.startsWith(PREFIX));
  const unknown = given.find((name) => !NAMES.some((one) => PREFIX + one === name));
  if (unknown !== undefined)
    refuse(unknown, `is not one of ${NAMES.map((name) => PREFIX + name).join(", ")}.`);
  const ways = readSignInWays(environment);
  if (ways.oidcName === null) {
    const first = NAMES.find((name) => read(name) !== "");
    if (first !== undefined)
      refuse(PREFIX + first, "is set without ASSAY_OIDC_ISSUER. Set both, or neither.");
    if (!ways.hasPasswords)
      refuse("ASSAY_PASSWORDS", "is off and there is no ASSAY_OIDC_ISSUER, so no one could sign in.");
    return null;
  }
  const clientId = read("CLIENT_ID");
  if (clientId === "")
    refuse("ASSAY_OIDC_CLIENT_ID", "is missing. Register Assay at the provider and set it.");
  return {
    // Without the path of the discovery document.
    issuer: readIssuer(read("ISSUER")),
    clientId,
    clientSecret: readSecret(read("CLIENT_SECRET"), read("CLIENT_SECRET_FILE")),
    name: ways.oidcName,
    domains: split(read("DOMAINS")).map(checkDomain),
    groupsClaim: read("GROUPS_CLAIM") || "groups",
    roles: split(read("ROLES")).map(readRole),
    // Null refuses people without account, group or invitation.
    newRole: readNewRole(read("NEW_PEOPLE")),
  };
}

export function readSignInWays(environment: Environment) {
  const issuer = environment["ASSAY_OIDC_ISSUER"]?.trim() ?? "";
  const name = environment["ASSAY_OIDC_NAME"]?.trim() ?? "";
  const host = URL.canParse(issuer) ? new URL(issuer).hostname : issuer;
  return {
    hasPasswords: environment["ASSAY_PASSWORDS"]?.trim() !== "off",
    oidcName: issuer === "" ? null : name || host,
  };
}

function readIssuer(given: string): URL {
  const url = URL.canParse(given) ? new URL(given.replace(DISCOVERY, "")) : null;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  const isBare = url?.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (url !== null && isSafe && isBare) return url;
  return refuse(
    "ASSAY_OIDC_ISSUER",
    "must be the provider's https URL without name, password and query, such as https://login.example/realms/team.",
  );
}

function readSecret(secret: string, file: string): string {
  if ((secret === "") === (file === ""))
    return refuse("ASSAY_OIDC_CLIENT_SECRET", "or ASSAY_OIDC_CLIENT_SECRET_FILE must be set, not both.");
  if (secret !== "") return secret;
  try {
    const read = readFileSync(file, "utf8").trim();
    return read === "" ? refuse("ASSAY_OIDC_CLIENT_SECRET_FILE", `names ${file}, which is empty.`) : read;
  } catch (error) {
    if (error instanceof ValidationError) throw error;
    const { code = "" } = error as NodeJS.ErrnoException; // A file system error.
    return refuse("ASSAY_OIDC_CLIENT_SECRET_FILE", `names ${file}, which cannot be read: ${code}.`);
  }
}

function split(list: string): readonly string[] {
  return list
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function checkDomain(given: string): string {
  const domain = given.toLowerCase().replace(/^@/, "");
  if (/^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*$/u.test(domain)) return domain;
  return refuse("ASSAY_OIDC_DOMAINS", "takes domains separated by ;, such as example.org;lab.example.org.");
}

function readRole(given: string): { readonly role: Role; readonly group: string } {
  const [name = "", ...rest] = given.split("=");
  const role = ROLES.find((one) => one === name.trim());
  const group = rest.join("=").trim();
  if (role !== undefined && group !== "") return { role, group };
  return refuse(
    "ASSAY_OIDC_ROLES",
    `takes ROLE=GROUP entries separated by ;, such as admin=bench-admins;reviewer=bench. A role is one of ${ROLES.join(", ")}.`,
  );
}

function readNewRole(given: string): Role | null {
  if (given === "" || given === "invited") return null;
  return (
    ROLES.find((role) => role === given) ??
    refuse("ASSAY_OIDC_NEW_PEOPLE", `must be invited (invitation required) or one of ${ROLES.join(", ")}.`)
  );
}

function refuse(variable: string, message: string): never {
  throw new ValidationError(`${variable} ${message}`, { [variable]: message });
}
