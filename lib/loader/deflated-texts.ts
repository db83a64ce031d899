import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Texts deflated together: the more, the better they share what they repeat, and the more is inflated for one of them. */
const BATCH_TEXTS = 128;
const BATCH_CHARS = 1 << 20;

/** Some texts that take little room until they are read, best in the order in which they were added. */
export class DeflatedTexts {
  /** As they are, until there are enough of them. */
  private texts: string[] | null = [];
  private nChars = 0;
  private deflated: Uint8Array | null = null;
  /** Those that were read last: who reads one of them reads the next. */
  private static latest: { readonly batch: DeflatedTexts; readonly texts: readonly string[] } | null = null;

  /** Whether no more texts may be added: there are as many as are deflated together, or they are long. */
  get isFull(): boolean {
    return this.texts === null;
  }

  /** @returns the place of the text, from 0 */
  add(text: string): number {
    const texts = (this.texts ??= []);
    const place = texts.push(text) - 1;
    this.nChars += text.length;
    if (texts.length >= BATCH_TEXTS || this.nChars >= BATCH_CHARS) {
      // A copy: what zlib gives is a piece of a larger buffer.
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
      DeflatedTexts.latest = { batch: this, texts: JSON.parse(json) as string[] }; // As `add` wrote them.
    }
    return DeflatedTexts.latest.texts;
  }
}
