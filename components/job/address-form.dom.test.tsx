import { screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";

import { AddressForm } from "./address-form";

/** A form in a part that folds, or in a menu of the page. */
function openForm(isMenu: boolean) {
  return openPage(() => (
    <details open {...(isMenu ? { "data-menu": "" } : {})}>
      <summary>Try other weights</summary>
      <AddressForm
        action="/trials"
        kept={[["tab", "rubric"]]}
        usual={{ rollup: "mean", weight: 1 }}
        mode="push"
        className="form"
      >
        <input name="rollup" defaultValue="mean" />
        <input name="weight" defaultValue="1.0" />
        <input name="note" defaultValue="" />
        <input name="other" aria-label="Other" defaultValue="" />
        <button type="submit">Apply</button>
      </AddressForm>
    </details>
  ));
}

const isOpen = () => screen.getByText("Try other weights").closest("details")?.open;

test("an applied form writes only values that differ from the defaults, and stays unfolded", async () => {
  const { user, visited } = openForm(false);
  await user.click(screen.getByRole("button", { name: "Apply" }));
  expect(visited.at(-1)).toBe("/trials?tab=rubric");
  await user.type(screen.getByLabelText("Other"), "a b{Enter}");
  expect(visited.at(-1)).toBe("/trials?tab=rubric&other=a+b");
  expect(isOpen()).toBe(true);
});

test("an applied form closes its menu", async () => {
  const { user } = openForm(true);
  await user.click(screen.getByRole("button", { name: "Apply" }));
  expect(isOpen()).toBe(false);
});
