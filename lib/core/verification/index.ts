export { listDisqualifying } from "./validity-figures";
export { listRewards, readReward } from "./reward-file-figures";
export { summariseVerdict } from "./figure";
export { verifyJob } from "./verify-job";
