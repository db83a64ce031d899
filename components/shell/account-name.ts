/** Name of the account that this page was made for, for what is no component; null where nobody signs in. */
export function readAccountName(): string | null {
  return document.documentElement.dataset["account"] ?? null;
}
