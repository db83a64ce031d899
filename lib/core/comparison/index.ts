/** Comparisons of groups and run sets, for pages and the command line alike. */
export * from "./certainty";
export * from "./checks";
export * from "./compare-json";
export * from "./figures";
export * from "./history";
export * from "./join-effect";
export * from "./leaderboard";
export * from "./leaderboard-text";
export * from "./run";
export * from "./scoring-choice";
export * from "./sensitivity";
export * from "./since-last";
export * from "./sides";
export * from "./spending";
export * from "./trials";
export * from "./words";
