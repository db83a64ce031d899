import { randomInt } from "node:crypto";

const RANGE = 2 ** 47;

/** A version that no row of the job, nor of a job that had its row's id before, ever had: what is kept of it goes by this. */
export function createVersion(): number {
  return randomInt(RANGE);
}
