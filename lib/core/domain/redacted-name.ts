/** Characters that cover the names a queue hides. Names of one length get different ones, so that they stay distinct. */
export const PAINTS = "•◦▪▫●○■□";

export function isRedacted(shown: string, text: string): boolean {
  return (
    shown.length === text.length &&
    shown.split("").every((sign, index) => sign === text[index] || PAINTS.includes(sign))
  );
}
