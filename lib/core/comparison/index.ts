/** Comparisons of groups and run sets, for pages and the command line alike. */
export type { CertaintyCells } from "./certainty-cells";
export type { ComparabilityCheck } from "./comparability-check";
export { checkComparability } from "./checks";
export { POSSIBLE_COPIES } from "./copies-check";
export { type ComparedGroups, type ComparedRule, prepareCompareJson } from "./compare-json";
export { applyScoring, describeCounting, type RuleScore, scoreUnderRules } from "./scoring-choice";
export {
  type CompareFigures,
  computeFigures,
  type GroupFigures,
  listPairs,
  type PairFigures,
} from "./figures";
export {
  computeLeaderboard,
  type Leaderboard,
  type LeaderboardRow,
  type LeaderboardRule,
  readScore,
  readScoreBounds,
} from "./leaderboard";
export { describeLead } from "./leaderboard-lead";
export {
  describeLabelledScores,
  describeLeaderboard,
  describeRecorded,
  formatAttempts,
  formatLeaderboard,
  formatRank,
  formatRowCost,
  formatScoreRange,
  type LabelledScores,
  prepareLeaderboardTable,
} from "./leaderboard-text";
export { computeHistory, type HistoryPoint } from "./history";
export { describeJoin } from "./join-effect";
export { findRunSets, listNewRuns, nameKind, listLikelyRepeats, poolBySettings } from "./pool-rule";
export { type ComparedRun, isCorrectable, type NamedRuns, nameSets, nameSetsInFull } from "./run";
export { describeRest } from "./rest-words";
export { checkRuns, markMixed } from "./run-checks";
export { type JoinedRuns, joinRuns, nameRuns, nameStem, type SingleRun, suggestRunSets } from "./run-set";
export {
  computeTrialSensitivity,
  describeSensitivity,
  type PairReading,
  prepareSensitivityJson,
  prepareSensitivityTable,
  type SensitivityLine,
} from "./sensitivity";
export { computeSinceLast } from "./since-last";
export { listSidesByAgent, orderByStart, type Sides } from "./sides";
export { summariseSet } from "./set-summary";
export { computeSpending, type GroupSpending, type Spending } from "./spending";
export {
  type ComparedTrial,
  type GroupContent,
  groupByTask,
  listRewardKeys,
  pickCompared,
  readRewardAt,
  renumber,
} from "./trials";
export { describeAdjustment, describeCurves, describeStand } from "./words";
