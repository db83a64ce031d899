const FRAME_HEADER = 24;

/**
 * Returns an SQLite database with everything that its write-ahead log committed. Opening the files instead would create
 * others next to them.
 *
 * @returns null if the result would exceed `maxBytes`
 * @see https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
export function applyLog(database: Buffer, log: Buffer, maxBytes: number): Buffer | null {
  const pageSize = log.length < 32 ? 0 : log.readUInt32BE(8);
  if (pageSize < 512 || pageSize % 8 !== 0) return database;
  const sums = new Checksums(log);
  if (!sums.match(0, 24, 24)) return database;
  let whole = database;
  let uncommitted: [page: number, at: number][] = [];
  for (let at = 32; at + FRAME_HEADER + pageSize <= log.length; at += FRAME_HEADER + pageSize) {
    const start = at + FRAME_HEADER;
    sums.add(at, at + 8);
    // A frame of an earlier log, or one that is being written.
    if (log.compare(log, 16, 24, at + 8, at + 16) !== 0 || !sums.match(start, start + pageSize, at + 16))
      break;
    uncommitted.push([log.readUInt32BE(at), start]);
    const size = log.readUInt32BE(at + 4) * pageSize;
    if (size === 0) continue;
    if (size > maxBytes) return null;
    const grown = whole.length < size ? Buffer.concat([whole], size) : whole.subarray(0, size);
    for (const [page, from] of uncommitted)
      if (page > 0 && page * pageSize <= size) log.copy(grown, (page - 1) * pageSize, from, from + pageSize);
    whole = grown;
    uncommitted = [];
  }
  return whole;
}

/** The running checksum of a log, in the byte order that the last bit of its first word states. */
class Checksums {
  private a = 0;
  private b = 0;
  private readonly log: Buffer;
  private readonly isBig: boolean;

  constructor(log: Buffer) {
    this.log = log;
    this.isBig = (log.readUInt32BE(0) & 1) === 1;
  }

  add(from: number, to: number): void {
    const read = (at: number) => (this.isBig ? this.log.readUInt32BE(at) : this.log.readUInt32LE(at));
    for (let at = from; at < to; at += 8) {
      this.a = (this.a + read(at) + this.b) >>> 0;
      this.b = (this.b + read(at + 4) + this.a) >>> 0;
    }
  }

  /** Adds the bytes and returns true if the checksum stored at `stored` agrees. */
  match(from: number, to: number, stored: number): boolean {
    this.add(from, to);
    return this.log.readUInt32BE(stored) === this.a && this.log.readUInt32BE(stored + 4) === this.b;
  }
}
