import { screen, waitFor, within } from "@testing-library/react";
import type { Route } from "next";
import { expect, test } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";
import { answerAction } from "@/components/testing/server-actions.fixture";
import { Link } from "@/components/ui/link";

import { DismissForm, RestoreButton } from "./dismiss-form";
import { FindingKeys } from "./finding-keys";

/** Two findings; the one of the address is unfolded, with its actions. */
function Findings({ open }: { open: string | null }) {
  return (
    <>
      <FindingKeys open={open} />
      <table>
        <tbody>
          {["slow", "flaky"].map((finding) => (
            <tr key={finding}>
              <td>
                <Link href={`/errors?open=${finding}` as Route} data-finding={finding}>
                  {finding}
                </Link>
                <Link href={`/trials?finding=${finding}` as Route} data-row-link="">
                  {`Trials of ${finding}`}
                </Link>
                {finding === open ? <Actions finding={finding} /> : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Actions({ finding }: { finding: string }) {
  return (
    <>
      <DismissForm findingKey={finding} base={3} title={`Too ${finding}`} />
      <Link href={`/annotations/queues/new?finding=${finding}` as Route} data-make-queue="">
        Queue
      </Link>
    </>
  );
}

const openFindings = () =>
  openPage(({ searchParams }) => <Findings open={searchParams.get("open")} />, { address: "/errors" });
const row = (finding: string) => screen.getByRole("link", { name: `Trials of ${finding}` });

test("keys unfold, dismiss and queue the focused finding", async () => {
  const { user, visited } = openFindings();
  await user.keyboard("jjo");
  expect(visited.at(-1)).toBe("/errors?open=flaky");
  // The key unfolds another finding first, whose form it opens.
  row("slow").focus();
  await user.keyboard("x");
  expect(visited.at(-1)).toBe("/errors?open=slow");
  expect(await screen.findByRole("form", { name: "Dismiss this finding" })).toBeTruthy();
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("form")).toBeNull();
  row("flaky").focus();
  await user.keyboard("q");
  await waitFor(() => expect(visited.at(-1)).toBe("/annotations/queues/new?finding=flaky"));
  await user.keyboard("?");
  expect(screen.getByRole("dialog", { name: "Keyboard shortcuts" }).textContent).toContain(
    "Dismiss the finding of the row",
  );
});

test("dismissing requires a reason and, once, a name, and errors are shown", async () => {
  const asked: unknown[] = [];
  answerAction("dismissFindingAction", (request: unknown) => {
    asked.push(request);
    return asked.length === 1
      ? { status: "failed", message: "Grace changed this in another browser." }
      : { status: "done" };
  });
  const { user, countRefreshes } = openPage(() => <Actions finding="slow" />);
  await user.click(screen.getByRole("button", { name: "Dismiss, with reason" }));
  const form = within(screen.getByRole("form", { name: "Dismiss this finding" }));
  expect(document.activeElement).toBe(form.getByLabelText(/^Why it needs no fix/));
  await user.keyboard(" Meant to be hard <b>really</b>{Enter}");
  expect(asked).toEqual([]);
  await user.type(form.getByLabelText("Your name"), "Ada");
  await user.click(form.getByRole("button", { name: "Dismiss" }));
  await waitFor(() => expect(form.getByRole("alert").textContent).toContain("Grace changed this"));
  await user.click(form.getByRole("button", { name: "Dismiss" }));
  await waitFor(() => expect(screen.getByText("Dismissed: Too slow")).toBeTruthy());
  expect(asked).toEqual(
    Array.from({ length: 2 }, () => ({
      ...{ key: "slow", title: "Too slow", base: 3 },
      reason: "Meant to be hard <b>really</b>",
    })),
  );
  expect(countRefreshes()).toBe(1);
  expect(document.cookie).toContain("Ada");
});

test("undoing another user's dismissal requires a reason, undoing one's own does not", async () => {
  const asked: unknown[] = [];
  answerAction("restoreFindingAction", (request: unknown) => {
    asked.push(request);
    return { status: "done" };
  });
  const { user, countRefreshes } = openPage(() => (
    <>
      <RestoreButton findingKey="slow" base={4} isOwn={false} />
      <RestoreButton findingKey="flaky" base={5} isOwn />
    </>
  ));
  await user.click(screen.getByRole("button", { name: "Show again" }));
  await user.type(screen.getByLabelText("Your name"), "Ines{Enter}");
  expect(asked).toEqual([]);
  await user.type(screen.getByLabelText(/^Why it needs a fix/), "It is not meant{Enter}");
  await waitFor(() => expect(countRefreshes()).toBe(1));
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(countRefreshes()).toBe(2));
  expect(asked).toEqual([
    { key: "slow", reason: "It is not meant", base: 4 },
    { key: "flaky", reason: "", base: 5 },
  ]);
});
