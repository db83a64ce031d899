import type { Kysely } from "kysely";

import { computeReviewerKey, DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { ValidationError } from "@/lib/core/domain/app-error";
import { findNameProblem } from "@/lib/core/domain/name-problem";

import type { AccountTables } from "./store";

const RESERVED: readonly string[] = ["command line", "assay"];

/** Recommended and limited-use scripts of UAX #31, tables 5 and 7. */
const SCRIPTS =
  "Latin Cyrillic Greek Arabic Hebrew Devanagari Bengali Tamil Telugu Thai Georgian Armenian Ethiopic Gujarati Gurmukhi Kannada " +
  "Khmer Lao Malayalam Myanmar Oriya Sinhala Thaana Tibetan Adlam Balinese Bamum Batak Canadian_Aboriginal Chakma Cham Cherokee " +
  "Hanifi_Rohingya Javanese Kayah_Li Lepcha Limbu Lisu Mandaic Meetei_Mayek Miao Mongolian New_Tai_Lue Newa Nko " +
  "Nyiakeng_Puachue_Hmong Ol_Chiki Osage Saurashtra Sundanese Syloti_Nagri Syriac Tai_Le Tai_Tham Tai_Viet Tifinagh Vai Wancho Yi";

/** "Highly restrictive" level of UTS #39. */
const TOGETHER = [
  "Latin Han Hiragana Katakana",
  "Latin Han Bopomofo",
  "Latin Han Hangul",
  ...SCRIPTS.split(" "),
].map((scripts) => {
  const parts = `${scripts} Common Inherited`.split(" ").map((script) => String.raw`\p{scx=${script}}`);
  return new RegExp(`^[${parts.join("")}]*$`, "u");
});

/** Compares skeletons of UTS #39, in the letter case as written and in lower case. Ignores invisible characters. */
async function prepareComparison(name: string): Promise<(other: string) => boolean> {
  const { default: unhomoglyph } = await import("unhomoglyph");
  const computeSkeletons = (text: string) => {
    const visible = text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
    return [visible, computeReviewerKey(visible)].map((form) =>
      computeReviewerKey(unhomoglyph(form.normalize("NFD"))),
    );
  };
  const skeletons = computeSkeletons(name);
  return (other) => computeSkeletons(other).some((key, at) => key === skeletons[at]);
}

export async function findNamesake(db: Kysely<AccountTables>, name: string) {
  const all = await db.selectFrom("user").select(["id", "name"]).execute();
  const isConfusable = await prepareComparison(name);
  return all.find((one) => isConfusable(one.name)) ?? null;
}

export async function checkName(name: string): Promise<string> {
  const trimmed = name.trim();
  const problem = await findAccountNameProblem(trimmed);
  if (problem !== null) throw new ValidationError(problem, { name: problem });
  return trimmed;
}

export async function findAccountNameProblem(name: string): Promise<string | null> {
  if (computeReviewerKey(name) === "") return "Enter a name (shown with judgments).";
  if (/[\p{Cc}\p{Cs}]/u.test(name)) return "A name cannot have control characters.";
  const problem = findNameProblem(name);
  if (problem !== null) return problem;
  if (!TOGETHER.some((scripts) => scripts.test(name.normalize("NFKC"))))
    return "The name mixes letters of different scripts, some of which look alike. Type it in one script.";
  if (RESERVED.some(await prepareComparison(name)))
    return `"${name}" is a reserved name. Choose another name.`;
  if (name.length <= DRAFT_LIMITS.reviewerId) return null;
  return `A name has at most ${String(DRAFT_LIMITS.reviewerId)} characters.`;
}

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
