/** Reads the address of the load report. */
export function parseLoadReportParams(search: Record<string, string | string[] | undefined>): {
  readonly text: string;
} {
  const value = search["q"];
  return { text: (Array.isArray(value) ? value.at(-1) : value)?.trim().slice(0, 200) ?? "" };
}
