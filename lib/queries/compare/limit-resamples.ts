/** Tasks drawn for one interval at most, so that groups of tens of thousands of tasks do not hold up the page. */
const MOST_DRAWS = 20_000_000;
const MOST_RESAMPLES = 10_000;

/** Resamples of so many tasks: 10,000 up to 2,000 tasks, fewer beyond. Results and captions say how many were drawn. */
export function limitResamples(nTasks: number): number {
  return Math.min(MOST_RESAMPLES, Math.ceil(MOST_DRAWS / Math.max(1, nTasks)));
}
