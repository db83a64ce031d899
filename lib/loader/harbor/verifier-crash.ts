/** Shell output may follow a traceback after its script died. */
const MAX_LINES_AFTER = 30;

const TRACEBACK = /^(?:Exception Group )?Traceback \(most recent call last\):$/;
// pytest's own crash, regardless of a later summary.
const PYTEST_DEATH = /^INTERNALERROR> Traceback \(most recent call last\):$/;
const FRAME = /^\s+File "([^"]+)", line \d+(?:, in .*)?$/;
// Exceptions reported without ending the program.
const HARMLESS =
  /^(?:Exception ignored in|Error in atexit|--- Logging error ---|Exception in thread|.*exception was never retrieved)/;

/** Ends of test runs, whose tracebacks come from failing tests, not from the verifier. */
const SUMMARIES: readonly RegExp[] = [
  // pytest, loud and quiet
  /^=* ?(?:\d+ [a-z]+(?:, )?)+ in \d[\d.]*s\b/,
  /^(?:FAILED|ERROR|PASSED) \S+::/,
  // unittest
  /^Ran \d+ tests? in /,
  // jest and vitest, mocha, go, cargo, TAP
  /^\s*Tests:? +\d+ (?:failed|passed)/,
  /^\s*\d+ (?:passing|failing)\b/,
  /^(?:ok|FAIL)\s+\S+\s+\d[\d.]*s$/,
  /^--- (?:FAIL|PASS): /,
  /^test result: /,
  /^(?:not )?ok \d+ /,
  /^# (?:fail|pass) \d/,
];
const FAILED_UNITTEST = /^FAILED \((?:failures|errors)=/;
const FAILURE =
  /\b[1-9]\d* (?:failed|failing|errors?)\b|^FAILED|^ERROR|^(?:--- )?FAIL\b|^not ok|^# fail [1-9]/;

// Verifier scripts, inline or in verifier folders, and the tools that run them.
const VERIFIER_PATHS: readonly RegExp[] = [
  /^<(?:stdin|string)>$/,
  /(?:^|\/)(?:tests?|verifiers?|graders?)\//,
  /(?:^|\/)(?:verify|verifier|grade|grader|judge|score|scorer|compute_reward|conftest|test_[^/]*)\.py$/,
  /\/bin\/(?:pytest|py\.test|rewardkit)$/,
  /\/(?:_?pytest|rewardkit|unittest)\//,
];
const LAUNCHER = /^<frozen |(?:^|\/)runpy\.py$/;

export interface LogEnd {
  /** Index of the first line of the fatal traceback, if any. */
  readonly traceback: number | null;
  /** True if a finished test run reported failures, which explains a reward of 0. */
  readonly saysFailure: boolean;
  readonly saysSummary: boolean;
}

/**
 * Finds a traceback of the verifier itself: at the end of the log, not followed by a test summary, with its outermost frame
 * in `tests/`, an inline script or a test runner. Other programs' tracebacks are under test, and plain scripts report a
 * failed check with AssertionError.
 */
export function readLogEnd(lines: readonly string[]): LogEnd {
  const summaries = lines.flatMap((line, at) =>
    SUMMARIES.some((summary) => summary.test(line)) ? [at] : [],
  );
  const saysFailure =
    summaries.some((at) => FAILURE.test(lines[at] ?? "")) || lines.some((line) => FAILED_UNITTEST.test(line));
  const death = lines.findIndex((line) => PYTEST_DEATH.test(line));
  if (death !== -1) return { traceback: death, saysFailure: false, saysSummary: true };
  const rest = { saysFailure, saysSummary: summaries.length > 0 };
  const from = summaries.at(-1) ?? -1;
  for (let at = lines.length - 1; at > from; at--) {
    if (!TRACEBACK.test(lines[at] ?? "") || HARMLESS.test(lines[at - 1] ?? "")) continue;
    return { traceback: isDeath(lines, at) && isOfVerifier(lines, at) ? at : null, ...rest };
  }
  return { traceback: null, ...rest };
}

/** True if the program ended here: little follows the exception, which is no failed check. */
function isDeath(lines: readonly string[], at: number): boolean {
  let end = at + 1;
  while (end < lines.length && /^(?:\s|$)/.test(lines[end] ?? "")) end++;
  if (/^AssertionError\b/.test(lines[end] ?? "")) return false;
  return lines.slice(end + 1).filter((line) => line.trim() !== "").length <= MAX_LINES_AFTER;
}

function isOfVerifier(lines: readonly string[], at: number): boolean {
  for (const line of lines.slice(at + 1, at + 1 + 2 * MAX_LINES_AFTER)) {
    const path = FRAME.exec(line)?.[1];
    if (path !== undefined && !LAUNCHER.test(path)) return VERIFIER_PATHS.some((own) => own.test(path));
    if (/^\S/.test(line)) return false;
  }
  return false;
}
