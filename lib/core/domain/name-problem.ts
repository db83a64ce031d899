const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Characters that reverse or hide text, which no name may contain. Direction marks and joiners are allowed: names in some scripts
 * and emoji need them. Controls are displayed as such wherever they would have an effect.
 */
const HIDING = /[\u00AD\u200B\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF]/u;

export function isInvisible(text: string): boolean {
  return text.replace(INVISIBLE, "") === "";
}

/** Explains why readers cannot tell a name from others, and the fix. Null also for a blank name, which forms report themselves. */
export function findNameProblem(name: string): string | null {
  if (name.trim() === "") return null;
  if (isInvisible(name)) return "The name has only invisible characters. Type one that others can read.";
  const code = HIDING.exec(name)?.[0].codePointAt(0);
  if (code === undefined) return null;
  const hex = code.toString(16).toUpperCase().padStart(4, "0");
  return `The name has the invisible character U+${hex}. Type the name again without it. Pasted text may contain it.`;
}
