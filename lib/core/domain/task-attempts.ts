export const ATTEMPT_SPENT = ["cost", "time"] as const;
export const ATTEMPT_HEIGHTS = ["steps", "reward"] as const;

export type AttemptSpent = (typeof ATTEMPT_SPENT)[number];
export type AttemptHeight = (typeof ATTEMPT_HEIGHTS)[number];
