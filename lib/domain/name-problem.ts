/** What nobody sees: spaces, controls, formats, fillers and the blank of Braille. */
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * What turns text around or hides in it, and belongs in no name. Marks of direction and joiners stay: names of some scripts and
 * emoji are written with them. Controls are shown as such wherever they would do anything.
 */
const HIDING = /[\u00AD\u200B\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF]/u;

/** Whether a text has nothing that can be seen. */
export function isInvisible(text: string): boolean {
  return text.replace(INVISIBLE, "") === "";
}

/**
 * Says why a typed or imported name of a person, queue or category cannot be told from others by reading it, and what to do; null
 * for any other name, and for one that is blank, of which forms have their own words.
 */
export function findNameProblem(name: string): string | null {
  if (name.trim() === "") return null;
  if (isInvisible(name))
    return "The name has only characters that cannot be seen. Type one that others can read.";
  const code = HIDING.exec(name)?.[0].codePointAt(0);
  if (code === undefined) return null;
  const hex = code.toString(16).toUpperCase().padStart(4, "0");
  return `The name has the invisible character U+${hex}. Type the name again without it: text that is pasted may bring it along.`;
}
