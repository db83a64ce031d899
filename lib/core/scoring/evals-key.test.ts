import { expect, it } from "vitest";

import { evalsKey } from "./evals-key";

it("leaves an absent model out and names an absent dataset", () => {
  expect(evalsKey({ agent: "codex", model: "gpt", source: "bench" })).toBe("codex__gpt__bench");
  expect(evalsKey({ agent: "codex", model: null, source: null })).toBe("codex__adhoc");
  expect(evalsKey({ agent: "codex", model: "", source: "" })).toBe("codex__adhoc");
});
