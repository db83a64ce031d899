import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Most jobs have fewer trials, so they are never compressed. */
const BATCH_VALUES = 1024;
const BATCH_CHARS = 4 << 20;

/** Keeps rarely read JSON values, compressed once there are many. Read them in insertion order for speed. */
export class DeflatedValues<Value> {
  private values: Value[] | null = [];
  private nChars = 0;
  private deflated = new Uint8Array();
  private static latest: { readonly batch: unknown; readonly values: readonly unknown[] } | null = null;

  get isFull(): boolean {
    return this.values === null;
  }

  add(value: Value): number {
    const values = (this.values ??= []);
    const place = values.push(value) - 1;
    this.nChars += JSON.stringify(value).length;
    if (values.length >= BATCH_VALUES || this.nChars >= BATCH_CHARS) {
      // Copy, because zlib returns a view of a larger buffer.
      this.deflated = new Uint8Array(deflateRawSync(JSON.stringify(values), { level: 1 }));
      this.values = null;
    }
    return place;
  }

  read(place: number): Value {
    return (this.values ?? this.inflate())[place] as Value; // Added before.
  }

  private inflate(): readonly Value[] {
    if (DeflatedValues.latest?.batch !== this) {
      const json = inflateRawSync(this.deflated).toString();
      DeflatedValues.latest = { batch: this, values: JSON.parse(json) as Value[] }; // Written by `add`.
    }
    return DeflatedValues.latest.values as readonly Value[];
  }
}
