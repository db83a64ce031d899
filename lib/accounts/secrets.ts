import { createHash, randomBytes } from "node:crypto";

/** Returns 256 random bits as 43 characters that an address and a header take as they are. */
export function makeSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns what is stored of a secret: SHA-256 in hexadecimal, from which 256 random bits cannot be found. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Returns what the cookies of a server begin with. They know no ports: two stores under one host name keep theirs apart. @param secret - of the server */
export function nameCookies(secret: string): string {
  return `assay-${hashSecret(secret).slice(0, 8)}`;
}
