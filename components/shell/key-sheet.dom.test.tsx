import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";
import { openReviewDesk } from "@/components/testing/review-desk.fixture";

const sheet = () => within(screen.getByRole("dialog", { name: "Keyboard shortcuts" }));
const listScopes = () =>
  sheet()
    .getAllByRole("heading", { level: 3 })
    .filter((heading) => heading.closest("details:not([open])") === null)
    .map(({ textContent }) => textContent);
const isOn = (name: RegExp) => screen.getByRole("button", { name }).getAttribute("aria-pressed") === "true";
const note = () => screen.getByLabelText("Note");

test("the key sheet lists the keys of this page first", async () => {
  const { user } = await openReviewDesk();
  await user.keyboard("?");
  expect(listScopes()).toEqual(["Review", "Everywhere"]);
  await user.click(sheet().getByText("Keys of other pages"));
  expect(listScopes().slice(2)).toEqual([
    "Queue",
    "Page of a queue",
    "Adjudication",
    "Trial",
    "Side by side",
    "Compare",
    "Failures",
    "Lists",
    "Everywhere",
  ]);
  await user.keyboard("{Escape}");
  expect(sheet().queryByRole("heading")).toBeNull();
});

test("a list has keys for its own commands only", async () => {
  const { user } = openPage(() => (
    <>
      <a href="#queue" data-make-queue="">
        Queue
      </a>
      <Rows names={["alpha"]} />
    </>
  ));
  await user.keyboard("?");
  expect(listScopes()).toEqual(["Lists", "Everywhere"]);
  const isHere = (words: RegExp) => sheet().getByText(words).closest("details") === null;
  expect(isHere(/^Make a queue of/)).toBe(true);
  expect(isHere(/^Select the row/)).toBe(true);
  expect(isHere(/^Count the selected groups together/)).toBe(false);
});

test("a key is changed by keyboard unless it is taken, and can be reset", async () => {
  const { user, reopen } = await openReviewDesk();
  const caps = () => screen.getByRole("heading", { name: /^Note/ }).textContent;
  const change = (key: string) => sheet().getByRole("button", { name: `Note: ${key}, change` });
  expect(caps()).toBe("Note n");
  await user.keyboard("?");
  change("n").focus();
  await user.keyboard("{Enter}");
  const said = () => screen.getAllByRole("status").map(({ textContent }) => textContent);
  for (const [key, answer] of [
    ["j", "j is used by “Next row, step or file”. Change that one first."],
    ["{Control>}p{/Control}", "Ctrl P is reserved by the browser."],
    ["{Enter}", "Enter keeps its usual meaning."],
    [" ", "Space keeps its usual meaning."],
  ] as const) {
    await user.keyboard(key);
    expect(sheet().getByText(answer)).toBeTruthy();
    expect(said(), key).toContain(answer);
  }
  await user.keyboard("v");
  expect(change("v")).toBe(document.activeElement);
  expect(caps()).toBe("Note v");

  reopen();
  expect(caps()).toBe("Note v");
  await user.keyboard("n");
  expect(document.activeElement).not.toBe(note());
  await user.keyboard("v");
  expect(document.activeElement).toBe(note());
  await user.keyboard("{Escape}?");
  await user.click(sheet().getByRole("button", { name: "Reset the key of “Note”" }));
  expect(caps()).toBe("Note n");
});

test("single keys can be switched off, and Ctrl keys still work", async () => {
  const { user, reopen } = await openReviewDesk();
  const fail = () => screen.getByRole("button", { name: /^Fail/ });
  const setKeys = async () => {
    await user.click(screen.getByRole("button", { name: "Keyboard shortcuts" }));
    await user.click(await sheet().findByRole("checkbox", { name: "Single-letter keys" }));
    await user.keyboard("{Escape}");
  };
  expect(fail().textContent).toBe("Fail2");
  await setKeys();
  for (const isReopened of [false, true]) {
    if (isReopened) reopen();
    expect(fail().textContent).toBe("Fail");
    await user.keyboard("2j?n");
    expect(isOn(/^Fail/)).toBe(false);
    expect(sheet().queryByRole("heading")).toBeNull();
    expect(document.activeElement).toBe(document.body);
  }
  await user.keyboard("{Control>}k{/Control}");
  const search = await screen.findByRole("combobox", { name: /^Search jobs/ });
  await waitFor(() => expect(document.activeElement).toBe(search));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Search" })).toBeNull());
  await setKeys();
  await user.keyboard("2");
  expect(isOn(/^Fail/)).toBe(true);
  expect(screen.getByText("Verdict: fail")).toBeTruthy();
});

test("keys that another tab switched off are off in this one", async () => {
  await openReviewDesk();
  const fail = screen.getByRole("button", { name: /^Fail/ });
  localStorage.setItem("assay-single-keys", "off");
  expect(fail.textContent).toBe("Fail2");
  act(() => void window.dispatchEvent(new StorageEvent("storage", { key: "assay-single-keys" })));
  expect(fail.textContent).toBe("Fail");
});

test("keys do not repeat while held, nor act behind an open menu", async () => {
  const menu = (
    <details data-menu="">
      <summary>Go to</summary>
    </details>
  );
  const { user } = await openReviewDesk({ beside: menu });
  // Low, medium, high, none: held for four times as long it would be none again.
  await user.keyboard("{h>4/}");
  expect(isOn(/^Low/)).toBe(true);
  await user.click(screen.getByText("Go to"));
  await user.keyboard("n");
  expect(document.activeElement).not.toBe(note());
  await user.keyboard("{Escape}");
  await waitFor(() => expect(document.querySelector("details[data-menu][open]")).toBeNull());
  await user.keyboard("n");
  expect(document.activeElement).toBe(note());
});

function Rows({ names }: { names: readonly string[] }) {
  return (
    <table>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <td>
              <input type="checkbox" aria-label={`Select ${name}`} />
              <a href={`#${name}`} data-row-link="">
                {name}
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

test("j, k, arrows, Home and End move between rows, and x selects one", async () => {
  const { user } = openPage(() => <Rows names={["alpha", "beta", "gamma"]} />);
  const at = () => document.activeElement?.textContent;
  const walk = async (keys: string) => {
    await user.keyboard(keys);
    return at();
  };
  expect(await walk("j")).toBe("alpha");
  expect(await walk("jj")).toBe("gamma");
  expect(await walk("j")).toBe("gamma");
  expect(await walk("k")).toBe("beta");
  expect(await walk("{ArrowUp}")).toBe("alpha");
  expect(await walk("{End}")).toBe("gamma");
  expect(await walk("{Home}{ArrowDown}")).toBe("beta");
  const box = screen.getByRole<HTMLInputElement>("checkbox", { name: "Select beta" });
  await user.keyboard("x");
  expect(box.checked).toBe(true);
  expect(screen.getByText("Selected: beta")).toBeTruthy();
  await user.keyboard("x");
  expect(box.checked).toBe(false);
  expect(screen.getByText("No longer selected: beta")).toBeTruthy();
});
