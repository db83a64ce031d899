/** The text without the characters of `ends` at its end. A pattern would begin anew at every one of them. */
export function trimEndOf(text: string, ends: string): string {
  let end = text.length;
  while (end > 0 && ends.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
