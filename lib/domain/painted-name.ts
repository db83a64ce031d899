/** Signs that stand over names which a queue hides, one for each of the names of one length, so that they can be told apart. */
export const PAINTS = "•◦▪▫●○■□";

/** Returns whether a text as a blind page shows it may be of this one: the same but for names that are painted over. */
export function isPaintedOver(shown: string, text: string): boolean {
  return (
    shown.length === text.length &&
    shown.split("").every((sign, index) => sign === text[index] || PAINTS.includes(sign))
  );
}
