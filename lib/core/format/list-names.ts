/** Joins the first names; the others are counted. */
export function listNames(names: readonly string[], separator = ", ", most = 3): string {
  const shown = names.slice(0, most).join(separator);
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
