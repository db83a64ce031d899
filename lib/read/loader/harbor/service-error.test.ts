import { expect, it } from "vitest";

import { isServiceError } from "./read-failure-signals";

it.each([
  "API Error: 529 Overloaded",
  'API Error: 402 {"error":{"message":"This request requires more credits"}}',
  "API Error: Request rejected (429) rate limit",
  "Error code: 402 - {'error': {'message': 'Insufficient Balance'}}",
  "litellm.RateLimitError: RateLimitError: OpenAIException - slow down",
  "terminal provider error: refused (HTTP 402: payment required: insufficient credits)",
  "You've hit your usage limit. Try again at 5pm.",
  "You've hit your limit · resets 3pm (UTC)",
  "You have reached your specified API usage limits. You will regain access on 2030-01-01.",
  "Claude AI usage limit reached|1760000000",
  "5-hour limit reached ∙ resets 8pm",
  "Credit balance is too low",
  "Prompt is too long",
  "stream disconnected before completion: response failed",
  "I encountered an error: All API attempts failed. Service temporarily unavailable.",
  "Sorry, an error occurred: the model is overloaded. Try again later.",
  "Error: 429 Too Many Requests",
  "error: You've hit your usage limit.",
  "APIError: Insufficient credits",
])("knows the error of a service: %s", (text) => {
  expect(isServiceError(text)).toBe(true);
});

it.each([
  "Done. I implemented the client.\n\nAPI Error handling: it retries on 429.",
  "API Error handling was added to client.py.",
  "API Error: 429 responses are now retried.",
  "Output was:\nError code: 404\nwhich is expected.",
  "Error code: 404 is expected.",
  "litellm.RateLimitError is now caught and retried.",
  "Provider error messages are now translated.",
  "LLM error rates computed: 0.2.",
  "Credit balance is too low errors now return HTTP 402. Done.",
  "You've hit your usage limit message is displayed when count > 10.",
  "You have reached your limit of 3 tries is printed.",
  "Claude Code usage limit reached handler implemented in app.py.",
  "Error: model unavailable is what the log said for user 17; written to answer.txt",
  "Error: internal server error is the most frequent log message (count 53).",
  "an error occurred: too many requests - this is the answer",
  "I encountered an error: service unavailable.\nI mended nginx.",
  "The server answers 429 Too Many Requests.",
  "Context window usage: 12%",
  "Session ended. context size 12k tokens; api key loaded from env",
  "disk quota 10GB",
  "curl: 429 Too many requests",
  "",
])("takes no other message for one: %s", (text) => {
  expect(isServiceError(text)).toBe(false);
});

it("takes little time for a long message", () => {
  for (const part of ["error: ", "you've hit your ", "a ", "\n"])
    expect(isServiceError(part.repeat(200)), part).toBe(false);
});
