/** Columns that are added up in one go: each sum waits for its last addition, and they do not wait for one another. */
const STRIDE = 4;

/** How often each row counts. */
type RowWeights = Uint16Array | Uint32Array;

/** Returns a function that gives the sums of all columns, of finite numbers, under given weights, in one array that is used again. */
export function createColumnSums(
  rows: readonly (readonly number[])[],
): (weights: RowWeights) => Float64Array {
  const nColumns = rows[0]?.length ?? 0;
  const nBlocks = Math.ceil(nColumns / STRIDE);
  // Cells of a block beside one another, so that they are read in the order in which they lie.
  const blocks = Array.from({ length: nBlocks }, (_, block) =>
    Float64Array.from(
      { length: rows.length * STRIDE },
      (_, at) => rows[Math.floor(at / STRIDE)]?.[block * STRIDE + (at % STRIDE)] ?? 0,
    ),
  );
  const sums = new Float64Array(nBlocks * STRIDE);
  return (weights) => {
    for (let block = 0; block < nBlocks; block++)
      addBlock(blocks[block] ?? sums, weights, sums, block * STRIDE);
    return sums;
  };
}

function addBlock(cells: Float64Array, weights: RowWeights, sums: Float64Array, column: number): void {
  // Numbers of their own are added up faster than cells of an array.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let row = 0, cell = 0; row < weights.length; row++, cell += STRIDE) {
    const weight = weights[row] ?? 0;
    a += weight * (cells[cell] ?? 0);
    b += weight * (cells[cell + 1] ?? 0);
    c += weight * (cells[cell + 2] ?? 0);
    d += weight * (cells[cell + 3] ?? 0);
  }
  sums[column] = a;
  sums[column + 1] = b;
  sums[column + 2] = c;
  sums[column + 3] = d;
}
