/** Removes `ends` characters from the end. A pattern would restart at every one of them. */
export function trimEndOf(text: string, ends: string): string {
  let end = text.length;
  while (end > 0 && ends.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
