/** Account name for code outside of components; null without accounts. */
export function readAccountName(): string | null {
  return document.documentElement.dataset["account"] ?? null;
}
