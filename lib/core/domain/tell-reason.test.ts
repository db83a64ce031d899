import { expect, it } from "vitest";

import { tellReason } from "./tally-tests";

const GENERIC = "The test failed in the call phase due to an assertion error";

it("is the line of the trace with the figure, where the message is that of every failed test", () => {
  const trace = [
    "def test_speed():",
    ">       assert gain >= 0.03",
    "E       AssertionError: speedup 1.2% < 3%",
    "E       assert 0.012 >= 0.03",
    "",
    "/tests/test_outputs.py:8: AssertionError",
  ].join("\n");
  expect(tellReason({ message: GENERIC, trace })).toBe("AssertionError: speedup 1.2% < 3%");
  expect(tellReason({ message: null, trace })).toBe("AssertionError: speedup 1.2% < 3%");
  expect(tellReason({ message: "expected 3 to be 4", trace })).toBe("expected 3 to be 4");
});

it("is what was raised last, and within that what its own traceback ends with", () => {
  const chained =
    "E   KeyError: 'a'\n\nDuring handling of this:\n\nE   assert 1 == 0\nE    +  where 1 = run()\n";
  expect(tellReason({ message: GENERIC, trace: chained })).toBe("assert 1 == 0");
  const nested =
    'E   lib.ProcessRaised:\nE\nE   -- Process 0 ended:\nE     File "a.py"\nE   TypeError: no None\n';
  expect(tellReason({ message: GENERIC, trace: nested })).toBe("TypeError: no None");
});

it("is the message where no trace says more", () => {
  expect(tellReason({ message: GENERIC, trace: "Traceback" })).toBe(GENERIC);
  expect(tellReason({ message: GENERIC, trace: null })).toBe(GENERIC);
  expect(tellReason({ message: null, trace: null })).toBeNull();
});
