/**
 * Environment in which the C library of Linux keeps little: else each thread has a heap of its own, and large blocks keep what was
 * freed below them. 45 MB of reading a large job, some 80 of a server that many people use. Taken only at the start of a process.
 */
export const FRUGAL_MALLOC = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "131072" } as const;
