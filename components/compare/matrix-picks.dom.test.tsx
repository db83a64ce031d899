import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";

import { MatrixPicks, PickToggle } from "./matrix-picks";

const hrefOf = (trial: string) => `/jobs/nightly/trials/${trial}`;

/** One task with the attempts of a group. */
function Matrix() {
  return (
    <MatrixPicks>
      <PickToggle />
      <table>
        <tbody>
          <tr>
            <th scope="row">sort-mail</th>
            <td data-label="orca">
              <span className="attempts">
                {["a", "b", "c"].map((trial, index) => (
                  <a key={trial} href={hrefOf(trial)} title={`attempt ${index + 1}, passed`}>
                    {trial}
                  </a>
                ))}
              </span>
            </td>
          </tr>
        </tbody>
      </table>
    </MatrixPicks>
  );
}

const mark = (name: string) => screen.getByRole("link", { name });
const bar = () => within(screen.getByRole("group", { name: "Picked attempts" }));

test("two attempts are picked by key or click, removed, and opened side by side", async () => {
  const { user, visited } = openPage(() => <Matrix />);
  mark("a").focus();
  await user.keyboard("c");
  expect(screen.getByText("Picked: sort-mail, orca, attempt 1")).toBeTruthy();
  expect(bar().getByText("pick another attempt")).toBeTruthy();
  await user.keyboard("c");
  expect(screen.getByText("No longer picked: sort-mail, orca, attempt 1")).toBeTruthy();
  expect(screen.queryByRole("group", { name: "Picked attempts" })).toBeNull();

  await user.keyboard("c");
  await user.click(screen.getByRole("button", { name: "Pick two" }));
  await user.click(mark("b"));
  // A third takes the place of the first.
  await user.click(mark("c"));
  expect(bar().getByText("sort-mail, orca, attempt 2")).toBeTruthy();
  expect(bar().queryByText("sort-mail, orca, attempt 1")).toBeNull();
  expect(visited).toEqual(["/"]);
  await user.click(bar().getByRole("button", { name: "Remove A" }));
  await user.click(mark("a"));
  await user.keyboard("s");
  expect(visited.at(-1)).toBe("/diff?a=nightly/c&b=nightly/a");
});
