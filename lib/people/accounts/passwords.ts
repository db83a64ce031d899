import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { ValidationError } from "@/lib/core/domain/app-error";

/** Better Auth's defaults. */
const LENGTH = { least: 8, most: 128 } as const;

export async function hashPassword(password: string): Promise<string> {
  const crypto = await import("better-auth/crypto");
  return crypto.hashPassword(password);
}

export async function hashNewPassword(password: string, name: string): Promise<string> {
  const problem = await findPasswordProblem(password, name);
  if (problem !== null) throw new ValidationError(problem, { password: problem });
  return hashPassword(password);
}

export async function findPasswordProblem(password: string, name: string): Promise<string | null> {
  if (password.length < LENGTH.least) return `A password has at least ${String(LENGTH.least)} characters.`;
  if (password.length > LENGTH.most) return `A password has at most ${String(LENGTH.most)} characters.`;
  if (computeReviewerKey(password) === computeReviewerKey(name))
    return "The password is the account name. Choose another one.";
  // 49,233 passwords, 17,950 of them long enough. They take 9 MB in memory.
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  if (!dictionary["passwords-common"].includes(password.toLowerCase())) return null;
  return "This is one of the most common passwords. Choose another one.";
}
