/** Path that a proxy serves the pages under, or empty. Builds inline it, programs read `ASSAY_BASE_PATH`. */
export function getBasePath(): string {
  return process.env["ASSAY_BASE_PATH"] ?? "";
}

/** Links and the router of Next add the base path automatically. */
export function withBasePath(href: string): string {
  return getBasePath() + href;
}

export function withoutBasePath(href: string): string {
  const base = getBasePath();
  if (base === "" || !href.startsWith(base)) return href;
  const rest = href.slice(base.length);
  if (rest === "" || /^[?#]/.test(rest)) return `/${rest}`;
  return rest.startsWith("/") ? rest : href;
}
