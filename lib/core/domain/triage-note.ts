export const TRIAGE_LIMITS = { name: 120, reason: 2_000, target: 300, about: 2_000 } as const;
