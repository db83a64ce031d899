import { expect, it } from "vitest";

import {
  FALLBACK_REASON_CODES,
  FINAL_REASON_CODES,
  normalizeReasonCode,
  RETRYABLE_REASON_CODES,
} from "./reason-codes";

it("leaves every code as it is, in capitals and with hyphens too", () => {
  for (const code of [...RETRYABLE_REASON_CODES, ...FINAL_REASON_CODES, ...FALLBACK_REASON_CODES]) {
    expect(normalizeReasonCode(code)).toBe(code);
    expect(normalizeReasonCode(` ${code.toUpperCase().replaceAll("_", "-")} `)).toBe(code);
  }
});

it.each([
  [null, null],
  [" \u001f", null],
  ["AgentTimeoutError", "harbor_agent_timeout_error"],
  ["submission code failure", "harbor_submission_code_failed"],
  ["asyncio.CanceledError: x", "harbor_cancelled_error"],
  ["Connection refused", "harbor_broker_connection_failed"],
  ["No reward file found", "no_reward_file_found"],
  ["Reward file is empty", "harbor_reward_empty"],
  ["reward missing, not empty", "harbor_reward_missing"],
  ["Exit  137", "exit_137"],
])("%j means %j", (text, code) => {
  expect(normalizeReasonCode(text)).toBe(code);
});

it("joins words across a long run of spaces", () => {
  expect(normalizeReasonCode(`x${" ".repeat(10_000)}x`)).toBe("x_x");
});
