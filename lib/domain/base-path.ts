/**
 * The path below which a proxy shows the pages, such as `/assay`; empty where they are at the top. Builds have it written in,
 * see `lib/launch/base-path.ts`; programs read it from `ASSAY_BASE_PATH`.
 */
export function getBasePath(): string {
  return process.env["ASSAY_BASE_PATH"] ?? "";
}

/** The address of a page or file as a browser takes it. Links and the router of Next add the base path themselves. */
export function withBasePath(href: string): string {
  return getBasePath() + href;
}

/** An address of a page or file, or its path alone, as the rest of Assay writes it: without the base path. */
export function withoutBasePath(href: string): string {
  const base = getBasePath();
  if (base === "" || !href.startsWith(base)) return href;
  const rest = href.slice(base.length);
  if (rest === "" || /^[?#]/.test(rest)) return `/${rest}`;
  return rest.startsWith("/") ? rest : href;
}
