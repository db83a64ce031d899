/** Encodes a name for a path. A lone surrogate, which no URL can hold, becomes U+FFFD, as in the index. */
export function encodeSegment(name: string): string {
  return encodeURIComponent(name.toWellFormed());
}

/** Returns an invalid encoding unchanged. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}
