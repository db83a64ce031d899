/** Returns the distance to a full reward, 0 to 1: 1 without a reward, and for one below 0. @param reward - null and NaN for none */
export function computeLostReward(reward: number | null): number {
  if (reward === null || Number.isNaN(reward)) return 1;
  return 1 - Math.min(1, Math.max(0, reward));
}
