import { formatJson } from "../json-text";
import type { SampleFile } from "../record";

/** The remains of a verifier that died: its script still writes a reward of 0, and nothing writes details. */
export const CRASHED_VERIFIER: readonly SampleFile[] = [
  { path: "verifier/reward.json", content: formatJson({ reward: 0.0 }, 2) },
  {
    path: "verifier/test-stdout.txt",
    content: `asking the judge about sheet_names
asking the judge about revisions
Traceback (most recent call last):
  File "/tests/verify.py", line 118, in <module>
    main()
  File "/tests/verify.py", line 96, in main
    scores = [ask(judge, dimension, answer) for dimension in RUBRIC]
  File "/tests/verify.py", line 61, in ask
    return json.loads(reply)["score"]
KeyError: 'score'
the verifier ended with 1, writing a reward of 0
`,
  },
];
