import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { JobCopies } from "./copies";

const COUNTED = { key: "run", place: "jobs/run", isCounted: true, nDifferent: 0 };
const COPIES = [
  COUNTED,
  { key: "run~1", place: "backup/run", isCounted: false, nDifferent: 2 },
  { key: "run~2", place: "old/run", isCounted: false, nDifferent: 0 },
];

test("the page of each copy links to the counted one, and that to all others", () => {
  const listLinks = (jobKey: string, copies = COPIES) =>
    [...renderToStaticMarkup(<JobCopies jobKey={jobKey} copies={copies} />).matchAll(/href="([^"]*)"/g)].map(
      ([, href]) => href,
    );
  expect(listLinks("run")).toEqual(["/jobs/run~1", "/jobs/run~2"]);
  expect(listLinks("run~2")).toEqual(["/jobs/run"]);
  expect(listLinks("run", [])).toEqual([]);
});
