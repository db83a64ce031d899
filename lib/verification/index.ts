/** Verification: every recorded figure of a job beside the one computed again from its trials. */
export { listDisqualifying } from "./disqualifying";
export { listRewards, readReward, type RewardText } from "./reward-text";
export { summariseVerdict } from "./figure";
export { verifyJob } from "./verify-job";
