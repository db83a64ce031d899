import { makeTermPattern, parseSearch } from "./search-text";
import { cutText } from "./text-bounder";

export interface TextPiece {
  readonly kind: "step" | "test" | "exception";
  readonly key: string;
  readonly text: string;
}

export interface Excerpt extends Pick<TextPiece, "kind" | "key"> {
  /** On one line. Text and matches alternate, so the number is odd. */
  readonly parts: readonly string[];
  readonly match: string;
  readonly nMore: number;
}

const BEFORE_CHARS = 60;
const SHOWN_CHARS = 240;
const MOST_TERMS = 6;
const MOST_PLACES = 50;

export function makePatterns(text: string): readonly RegExp[] {
  return parseSearch(text).slice(0, MOST_TERMS).map(makeTermPattern);
}

interface Place {
  readonly term: number;
  readonly start: number;
  readonly end: number;
}

export function findExcerpt(pieces: readonly TextPiece[], patterns: readonly RegExp[]): Excerpt | null {
  const found = pieces.flatMap(listParts).flatMap((piece) => {
    const { close, n } = findNearest(listPlaces(piece.text, patterns));
    return close.length === 0 ? [] : [{ piece, close, n }];
  });
  const [best] = found.toSorted((a, b) => b.n - a.n);
  if (best === undefined) return null;
  const { kind, key, text } = best.piece;
  const steps = new Set(found.flatMap(({ piece }) => (piece.kind === "step" ? [piece.key] : [])));
  const [first] = best.close;
  return {
    kind,
    key,
    parts: cutParts(text, best.close),
    match: first === undefined ? "" : text.slice(first.start, first.end),
    nMore: steps.size - Number(kind === "step"),
  };
}

function listParts(piece: TextPiece): readonly TextPiece[] {
  return piece.kind === "test" ? piece.text.split("\n").map((text) => ({ ...piece, text })) : [piece];
}

function listPlaces(text: string, patterns: readonly RegExp[]): readonly Place[] {
  const places: Place[] = [];
  for (const [term, pattern] of patterns.entries()) {
    let n = 0;
    for (const { 0: match, index: start } of text.matchAll(pattern)) {
      places.push({ term, start, end: start + match.length });
      if (++n === MOST_PLACES) break;
    }
  }
  return places.toSorted((a, b) => a.start - b.start);
}

function findNearest(places: readonly Place[]): { readonly close: readonly Place[]; readonly n: number } {
  let best: { readonly close: readonly Place[]; readonly n: number } = { close: [], n: 0 };
  for (const [at, { start }] of places.entries()) {
    const behind = places.slice(at).findIndex((place) => place.end > start + SHOWN_CHARS - BEFORE_CHARS);
    const close = places.slice(at, behind === -1 ? undefined : at + Math.max(1, behind));
    const n = new Set(close.map(({ term }) => term)).size;
    if (n > best.n) best = { close, n };
  }
  return best;
}

function cutParts(text: string, places: readonly Place[]): readonly string[] {
  const start = places[0]?.start ?? 0;
  const parts: string[] = [];
  let at = Math.max(0, start - BEFORE_CHARS);
  for (const place of places) {
    // Terms that share a word overlap.
    if (place.start < at) continue;
    parts.push(
      toLine(text.slice(at, place.start)),
      toLine(cutText(text.slice(place.start, place.end), SHOWN_CHARS)),
    );
    at = place.end;
  }
  return [...parts, toLine(text.slice(at, Math.max(at, start + SHOWN_CHARS - BEFORE_CHARS)))];
}

function toLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").toWellFormed();
}
