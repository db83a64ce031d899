import { deflateRawSync, inflateRawSync } from "node:zlib";

const BATCH_TEXTS = 128;
const BATCH_CHARS = 1 << 20;

/** Keeps rarely read texts compressed. Read them in insertion order for speed. */
export class DeflatedTexts {
  private texts: string[] | null = [];
  private nChars = 0;
  private deflated: Uint8Array | null = null;
  private static latest: { readonly batch: DeflatedTexts; readonly texts: readonly string[] } | null = null;

  get isFull(): boolean {
    return this.texts === null;
  }

  add(text: string): number {
    const texts = (this.texts ??= []);
    const place = texts.push(text) - 1;
    this.nChars += text.length;
    if (texts.length >= BATCH_TEXTS || this.nChars >= BATCH_CHARS) {
      // Copy, because zlib returns a view of a larger buffer.
      this.deflated = new Uint8Array(deflateRawSync(JSON.stringify(texts), { level: 1 }));
      this.texts = null;
    }
    return place;
  }

  read(place: number): string {
    return (this.texts ?? this.inflate())[place] ?? "";
  }

  private inflate(): readonly string[] {
    if (DeflatedTexts.latest?.batch !== this) {
      const json = inflateRawSync(this.deflated ?? new Uint8Array()).toString();
      DeflatedTexts.latest = { batch: this, texts: JSON.parse(json) as string[] }; // Written by `add`.
    }
    return DeflatedTexts.latest.texts;
  }
}
