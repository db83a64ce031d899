import { hash, randomBytes } from "node:crypto";

/** 256 random bits as 43 URL-safe characters. */
export function makeSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256 in hexadecimal; 256 random bits cannot be recovered from it. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret);
}

/** Cookies ignore ports, so two stores on one host need different names. */
export function nameCookies(secret: string): string {
  return `assay-${hashSecret(secret).slice(0, 8)}`;
}
