import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { NoTrials } from "./no-trials";

test("a job without trials points to figures of result.json only if there are any", () => {
  const show = (hasRecordedStats: boolean) => renderToStaticMarkup(<NoTrials job={{ hasRecordedStats }} />);
  expect(show(true)).toContain("Score check");
  expect(show(false)).not.toContain("Score check");
  expect(show(false)).toContain("no readable result.json");
});
