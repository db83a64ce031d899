import type { Outcome } from "@/lib/domain/trial";

/** A symbol of the sprite. Only names of closed lists and numbers, so that a name can stand in markup as it is. */
export type GlyphName =
  | `mark-${Outcome | "defer"}`
  | `check-${"exact" | "ulp" | "explained" | "mismatch" | "incomplete" | "open"}`;

const REFERENCES = new Map<GlyphName, { readonly __html: string }>();

/**
 * What stands in an `<svg>` that shows a symbol, as markup made once for each symbol: tables show some hundred of them,
 * and an element of its own for each reference is a fifth of the work of drawing a row.
 */
export function referToGlyph(name: GlyphName): { readonly __html: string } {
  let reference = REFERENCES.get(name);
  if (reference === undefined) REFERENCES.set(name, (reference = { __html: `<use href="#${name}"></use>` }));
  return reference;
}
