import { expect, it } from "vitest";

import { readLogEnd } from "./verifier-crash";

const lines = (text: string) => text.split("\n").map((line) => line.trimEnd());

const OWN = `running the checks
Traceback (most recent call last):
  File "/tests/verify.py", line 40, in <module>
    main()
  File "/tests/verify.py", line 12, in main
    rows = json.loads(text)
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
writing reward 0
`;

it("a verifier that died at the end of its log is recognised by the line of its traceback", () => {
  expect(readLogEnd(lines(OWN))).toMatchObject({ traceback: 1, saysFailure: false, saysSummary: false });
});

it("the same traceback is not a crash if the verifier continued or its tests ended after it", () => {
  const rest = Array.from({ length: 40 }, (_, at) => `check ${at} done`).join("\n");
  expect(readLogEnd(lines(OWN + rest)).traceback).toBeNull();
  expect(readLogEnd(lines(`${OWN}\n===== 1 failed, 5 passed in 0.14s =====`))).toMatchObject({
    traceback: null,
    saysFailure: true,
    saysSummary: true,
  });
});

it.each([
  ["/usr/bin/pytest", true],
  ["<stdin>", true],
  ["/opt/venv/lib/python3.12/site-packages/_pytest/main.py", true],
  ["grade.py", true],
  ["/app/solution.py", false],
  ["/workspace/main.py", false],
  ["/opt/venv/bin/flask", false],
])("a program that died with its outermost frame in %s: the verifier, %s", (path, isVerifier) => {
  const text = `Traceback (most recent call last):\n  File "${path}", line 3, in <module>\n    go()\nKeyError: 'x'\n`;
  expect(readLogEnd(lines(text)).traceback).toBe(isVerifier ? 0 : null);
});

it("a module that was run by name is judged by what it is, not by how it was started", () => {
  const text = (path: string) =>
    `Traceback (most recent call last):\n  File "<frozen runpy>", line 198, in _run_module_as_main\n  File "${path}", line 3, in <module>\nKeyError: 'x'\n`;
  expect(readLogEnd(lines(text("/tests/check/__main__.py"))).traceback).toBe(0);
  expect(readLogEnd(lines(text("/app/server/__main__.py"))).traceback).toBeNull();
});

it("a failed assertion of a plain script is its verdict, and noise at exit ends nothing", () => {
  expect(readLogEnd(lines(OWN.replace(/json\.decoder.*/, "AssertionError: no output"))).traceback).toBeNull();
  const noise = OWN.replace("running the checks", "Exception ignored in: <function f at 0x7f>");
  expect(readLogEnd(lines(noise)).traceback).toBeNull();
});

it("failures that pytest and unittest report have tracebacks that are no crash", () => {
  const pytest = `=================================== FAILURES ===================================
    def test_server():
>       assert run() == 0
E       AssertionError: Traceback (most recent call last):
E         ModuleNotFoundError: No module named 'x'
----------------------------- Captured stderr call -----------------------------
Traceback (most recent call last):
  File "/tests/helper.py", line 2, in <module>
    import x
ModuleNotFoundError: No module named 'x'
=========================== short test summary info ============================
FAILED ../tests/test_outputs.py::test_server - AssertionError: Traceback...
========================= 1 failed, 5 passed in 0.14s ==========================
`;
  expect(readLogEnd(lines(pytest))).toMatchObject({ traceback: null, saysFailure: true });
  const unittest = `F
======================================================================
FAIL: test_x (tests.test_x.X)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/tests/test_x.py", line 5, in test_x
    self.assertEqual(f(), 1)
ValueError: 2
----------------------------------------------------------------------
Ran 1 test in 0.001s

FAILED (failures=1)
`;
  expect(readLogEnd(lines(unittest))).toMatchObject({ traceback: null, saysFailure: true });
});

it("pytest that died is a crash despite any summary, and so is a script after passed tests", () => {
  const internal = `INTERNALERROR> Traceback (most recent call last):
INTERNALERROR>   File "/usr/lib/python3/site-packages/_pytest/main.py", line 283, in wrap_session
INTERNALERROR> KeyError: 'x'
=== 1 failed in 0.02s ===`;
  expect(readLogEnd(lines(internal))).toMatchObject({ traceback: 0, saysFailure: false, saysSummary: true });
  const after = `==== 6 passed in 0.14s ====\n${OWN}`;
  expect(readLogEnd(lines(after))).toMatchObject({ traceback: 2, saysFailure: false, saysSummary: true });
});

it.each([
  ['  File "/app/solution.py", line 5, in <module>', "NameError: name 'x' is not defined", "answer-raised"],
  ['  File "/app/solution.py", line 5\n    x(\n     ^', "SyntaxError: '(' was never closed", "answer-raised"],
  [
    '  File "/app/solution.py", line 5, in f\n  File "/usr/lib/python3.12/json/decoder.py", line 3, in decode',
    "json.decoder.JSONDecodeError: Expecting value",
    "answer-raised",
  ],
  ['  File "/usr/lib/python3.12/json/decoder.py", line 3, in decode', "ValueError: x", "verifier-died"],
  ["", "FileNotFoundError: [Errno 2] No such file or directory: '/app/out.txt'", "answer-not-found"],
  ["", "FileNotFoundError: [Errno 2] No such file or directory: 'out.txt'", "answer-not-found"],
  ["", "FileNotFoundError: [Errno 2] No such file or directory: '/tests/expected.json'", "verifier-died"],
  ["", "FileNotFoundError: [Errno 2] No such file or directory: 'uvx'", "verifier-died"],
])("the deepest frame and the missing file say whose doing a death is: %s %s", (frames, error, death) => {
  const text = `Traceback (most recent call last):\n  File "/tests/test_outputs.py", line 6, in main\n    run()\n${frames}\n${error}\n`;
  expect(readLogEnd(lines(text)).death).toBe(death);
});
