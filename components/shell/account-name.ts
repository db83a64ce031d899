export function readAccountName(): string | null {
  return document.documentElement.dataset["account"] ?? null;
}
