/** Agent markers on a 12 px grid, filled; 0 is hollow and stands for the oracle and for doing nothing. */
export const AGENT_MARKER_PATHS: readonly string[] = [
  "M6 2.4a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2z",
  "M6 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  "M6 1.5 10.7 10H1.3z",
  "M2.3 2.3h7.4v7.4H2.3z",
  "M6 .9 11.1 6 6 11.1.9 6z",
  "M6 10.5 1.3 2h9.4z",
  "M4.4 1.2h3.2v3.2h3.2v3.2H7.6v3.2H4.4V7.6H1.2V4.4h3.2z",
];
