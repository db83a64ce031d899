export { listDisqualifying } from "./disqualifying";
export { listRewards, readReward, type RewardText } from "./reward-text";
export { summariseVerdict } from "./figure";
export { verifyJob } from "./verify-job";
