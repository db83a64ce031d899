import type { Route } from "next";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { FacetMenu } from "./facet-menu";

/** A menu of values with the last one chosen. */
function show(values: readonly string[]): string {
  const options = values.map((value, at) => ({
    value,
    label: value,
    count: values.length - at,
    selected: at === values.length - 1,
    href: `/?x=${encodeURIComponent(value)}` as Route,
  }));
  return renderToStaticMarkup(<FacetMenu label="Agent" options={options} clearHref="/" />);
}

const listed = (html: string) => Array.from(html.matchAll(/<span class="cut">([^<]*)</g), ([, name]) => name);

test("a menu that can show all of its values shows them in their order", () => {
  expect(listed(show(["b", "a", "c"]))).toEqual(["b", "a", "c"]);
});

test("a menu of too many values, or of too long ones, keeps the chosen one and counts all", () => {
  const many = Array.from({ length: 3_000 }, (_, n) => `agent ${n}`);
  const long = Array.from({ length: 150 }, (_, n) => `${n} `.padEnd(290, "名"));
  for (const values of [many, long]) {
    const html = show(values);
    expect(html.length).toBeLessThan(200_000);
    expect(listed(html)[0]).toBe(values.at(-1));
    expect(listed(html)[1]).toBe(values[0]);
    expect(html).toContain(` of ${values.length.toLocaleString("en")}.`);
  }
});
