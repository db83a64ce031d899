import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Texts deflated together: the more, the better they share what they repeat, and the more is inflated for one of them. */
const BATCH_TEXTS = 128;
const BATCH_CHARS = 1 << 20;

/** Some texts, as they are until there are enough of them. */
class Batch {
  private texts: string[] | null = [];
  private nChars = 0;
  private deflated: Uint8Array | null = null;
  /** Those that were read last: who reads one of them reads the next. */
  private static latest: { readonly batch: Batch; readonly texts: readonly string[] } | null = null;

  get isFull(): boolean {
    return this.texts === null;
  }

  /** @returns its place */
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
    if (Batch.latest?.batch !== this) {
      const json = inflateRawSync(this.deflated ?? new Uint8Array()).toString();
      Batch.latest = { batch: this, texts: JSON.parse(json) as string[] }; // As `add` wrote them.
    }
    return Batch.latest.texts;
  }
}

/** A text that takes little room until it is read. */
export interface HeldText {
  readonly read: () => string;
}

class PlacedText implements HeldText {
  private readonly batch: Batch;
  private readonly place: number;

  constructor(batch: Batch, place: number) {
    this.batch = batch;
    this.place = place;
  }

  read(): string {
    return this.batch.read(this.place);
  }
}

/** Deflates texts of which many are held and few are read at a time, best in the order in which they were added. */
export class DeflatedTexts {
  private batch = new Batch();

  add(text: string): HeldText {
    if (this.batch.isFull) this.batch = new Batch();
    return new PlacedText(this.batch, this.batch.add(text));
  }
}
