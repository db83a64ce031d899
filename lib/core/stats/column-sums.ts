/** Columns summed in one pass: their additions do not wait for one another. */
const STRIDE = 4;

type RowWeights = Uint16Array | Uint32Array;

/** Returns a function that sums all columns of finite numbers under the given weights. It reuses one result array. */
export function createColumnSums(
  rows: readonly (readonly number[])[],
): (weights: RowWeights) => Float64Array {
  const nColumns = rows[0]?.length ?? 0;
  const nBlocks = Math.ceil(nColumns / STRIDE);
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
  // Local numbers are added faster than array cells.
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
