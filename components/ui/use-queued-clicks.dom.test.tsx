import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { PickBox } from "@/components/compare/pick-box";
import { openPage } from "@/components/testing/open-page.fixture";
import { toggleValue } from "@/lib/pages/address/address";
import { buildHref } from "@/lib/pages/address/href";

import { ListFacet } from "./facet-menu";
import { FilterText } from "./filter-text";

const GROUPS = ["orca", "lamp", "kite"];

/** A page with a box and a link for each group. Changes of its URL appear after `load`. */
function openSlowPage() {
  const loads = Promise.withResolvers<null>();
  const page = openPage(
    ({ searchParams }) => {
      const [chosen, only] = [searchParams.getAll("g"), searchParams.getAll("only")];
      const q = searchParams.get("q") ?? "";
      return (
        <>
          <FilterText label="Filter" />
          {GROUPS.map((group) => (
            <PickBox
              key={group}
              checked={chosen.includes(group)}
              disabled={false}
              label={group}
              href={buildHref("/", { q, g: toggleValue(chosen, group), only })}
            />
          ))}
          <ListFacet
            label="Only"
            values={GROUPS.map((value) => ({ value, count: null }))}
            chosen={only}
            hrefOf={(values) => buildHref("/", { q, g: chosen, only: values })}
          />
        </>
      );
    },
    { loads: loads.promise },
  );
  const isAt = (href: string) => waitFor(() => expect(page.visited.at(-1)).toBe(href));
  return { ...page, isAt, load: () => loads.resolve(null) };
}

const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });
const option = (name: RegExp) => screen.getByRole("link", { name, hidden: true });

test("ticks that follow before the page has loaded all stay, and a second tick of a box removes it", async () => {
  const { user, load, isAt } = openSlowPage();
  await user.click(box("orca"));
  await user.click(box("lamp"));
  expect(box("lamp").checked).toBe(true);
  box("kite").focus();
  await user.keyboard("{Enter}");
  await user.click(box("orca"));
  load();
  await isAt("/?g=lamp&g=kite");
  expect(GROUPS.map((name) => box(name).checked)).toEqual([false, true, true]);
});

test("text typed just before a tick stays", async () => {
  const { user, load, isAt } = openSlowPage();
  await user.type(screen.getByRole("searchbox"), "orc");
  await user.click(box("orca"));
  load();
  await isAt("/?q=orc&g=orca");
});

test("values that are chosen before the page has loaded all stay", async () => {
  const { user, load, isAt } = openSlowPage();
  await user.click(option(/^orca/));
  await user.click(option(/^lamp/));
  await user.click(box("kite"));
  load();
  await isAt("/?g=kite&only=orca&only=lamp");
});
