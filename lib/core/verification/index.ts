export { listDisqualifying } from "./disqualifying";
export { listRewards, readReward } from "./reward-text";
export { summariseVerdict } from "./figure";
export { verifyJob } from "./verify-job";
