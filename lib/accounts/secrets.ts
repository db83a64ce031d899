import { createHash, randomBytes } from "node:crypto";

/** Returns 256 random bits as 43 URL-safe characters. */
export function makeSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns the SHA-256 of a secret in hexadecimal, from which 256 random bits cannot be recovered. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Returns a cookie prefix per server secret: cookies ignore ports, so two stores on one host must differ. */
export function nameCookies(secret: string): string {
  return `assay-${hashSecret(secret).slice(0, 8)}`;
}
