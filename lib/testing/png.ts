import { crc32, deflateSync } from "node:zlib";

/** A line to draw: values from 0 (bottom) to 1 (top), left to right, in one grey level or colour. */
interface PlotLine {
  readonly values: readonly number[];
  readonly rgb: readonly [number, number, number];
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

function paint(pixels: Buffer, width: number, height: number, line: PlotLine): void {
  const last = line.values.length - 1;
  let previous: number | null = null;
  for (let x = 0; x < width; x += 1) {
    const at = (x / (width - 1)) * last;
    const low = line.values[Math.floor(at)] ?? 0;
    const high = line.values[Math.ceil(at)] ?? low;
    const y = Math.round((1 - (low + (high - low) * (at % 1))) * (height - 1));
    const from = Math.min(previous ?? y, y);
    const to = Math.max(previous ?? y, y);
    for (let row = from; row <= to; row += 1) {
      const place = row * (width * 3 + 1) + 1 + x * 3;
      line.rgb.forEach((level, index) => (pixels[place + index] = level));
    }
    previous = y;
  }
}

/**
 * Bytes of a small PNG (8-bit RGB) with a grid and the given lines: like a plot that an agent makes while it works.
 *
 * @returns a complete, valid file
 */
export function drawPlot(width: number, height: number, lines: readonly PlotLine[]): Buffer {
  const pixels = Buffer.alloc(height * (width * 3 + 1), 0xfa);
  for (let row = 0; row < height; row += 1) {
    pixels[row * (width * 3 + 1)] = 0;
    if (row % 40 === 0) pixels.fill(0xe2, row * (width * 3 + 1) + 1, (row + 1) * (width * 3 + 1));
  }
  lines.forEach((line) => paint(pixels, width, height, line));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
