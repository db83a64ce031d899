/** What the attempts at a task can be drawn over, and what can be their height. */
export const ATTEMPT_SPENT = ["cost", "time"] as const;
export const ATTEMPT_HEIGHTS = ["steps", "reward"] as const;
