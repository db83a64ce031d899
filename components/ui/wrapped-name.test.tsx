import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { WrappedName } from "./wrapped-name";

test.each([
  ["codex-gpt-5.6-terra", "codex-|gpt-|5.6-|terra"],
  ["retry_of__2026-05-12__13-07-49", "retry_|of__|[2026-05-12__13-07-49]|"],
  ["concurrent8-20260506-193109-2", "concurrent8-|[20260506-193109]|-|2"],
  ["final--run", "final--|run"],
  ["<b>-x", "&lt;b&gt;-|x"],
])("%s may break after its hyphens and underscores, not within a time", (name, expected) => {
  const markup = renderToStaticMarkup(<WrappedName name={name} />);
  const words = markup
    .replaceAll("<wbr/>", "|")
    .replaceAll('<span class="nowrap">', "[")
    .replaceAll("</span>", "]");
  expect(words).toBe(expected);
});
