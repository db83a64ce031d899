import { expect, it } from "vitest";

import * as scoring from "./index";

it("exports exactly the published names", () => {
  expect(Object.keys(scoring).toSorted()).toEqual([
    "ADHOC_DATASET",
    "FALLBACK_REASON_CODES",
    "FINAL_REASON_CODES",
    "PythonError",
    "RETRYABLE_REASON_CODES",
    "aggregateRewards",
    "aggregateStepRewards",
    "compareCodePoints",
    "computeJobStats",
    "computeTrialUsage",
    "dashedEvalsKey",
    "decodePythonText",
    "deriveOutcome",
    "deriveOutcomeFromStats",
    "dumpPythonJson",
    "eligibleK",
    "evalsKey",
    "isPyNumber",
    "normalizeReasonCode",
    "parsePydanticFloat",
    "parsePythonFloat",
    "parsePythonJson",
    "passAtKByEvals",
    "passAtKForGroup",
    "passAtKForTask",
    "pythonRepr",
    "pythonRound",
    "pythonRoundTo",
    "pythonSum",
    "readRewardFiles",
    "recoverPython",
    "sameBits",
    "stripPythonSpace",
    "trimUnicodeSpace",
    "ulpDistance",
    "validateRewards",
  ]);
});
