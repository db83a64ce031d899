import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";
import { openDeskStore } from "@/components/testing/review-desk.fixture";
import { answerAction } from "@/components/testing/server-actions.fixture";
import { ConflictError, ValidationError } from "@/lib/core/domain/app-error";
import { codebookAddress } from "@/lib/pages/codebook/address";
import type { OpenCategory } from "@/lib/pages/codebook/page";
import {
  type AnnotationStore,
  changeCodebook,
  type CodebookForm,
  importCodebook,
  readCodebook,
  readCodebookForm,
} from "@/lib/people/annotations";

import { CategoryPanel } from "./category-panel";
import { CodebookDesk, FileTab } from "./codebook-desk";

const ID = "lucky";

interface Request {
  readonly form: CodebookForm;
  readonly baseVersion: number;
  readonly author: string;
}

async function change(store: AnnotationStore, request: Request): Promise<number> {
  const read = readCodebookForm(await readCodebook(store), request.form);
  return (await changeCodebook(store, { ...request, change: read })).codebook.version;
}

/** The panel of a default category, with a real store. */
async function openCodebook() {
  const store = openDeskStore();
  const read = async () => {
    const { codebook, byId } = await readCodebook(store);
    const category = byId.get(ID);
    if (category === undefined) throw new Error("no such category");
    const opened: OpenCategory = {
      ...{ category, nTrials: 1, parent: null, depth: 0, lastChange: null, changes: [] },
      successors: category.successors.map((id) => byId.get(id)?.label ?? id),
    };
    return { version: codebook.version, opened };
  };
  let state = await read();
  const page = openPage(() => (
    <CodebookDesk version={state.version} reviewerId="" parts={null}>
      <CategoryPanel opened={state.opened} labels={[]} params={codebookAddress.read({ open: ID })} />
    </CodebookDesk>
  ));
  answerAction("changeCodebookAction", async (request: Request) => {
    try {
      return { status: "done", version: await change(store, request) };
    } catch (error) {
      if (error instanceof ConflictError)
        return { status: "conflict", message: error.message, version: (await read()).version };
      if (error instanceof ValidationError) return { status: "invalid", message: error.message };
      throw error;
    } finally {
      state = await read();
      page.redraw();
    }
  });
  await page.user.type(screen.getByPlaceholderText("Your name"), "Grace");
  return { ...page, store };
}

const panel = () => within(screen.getByRole("region", { name: /^Category/ }));
const heading = () => panel().getByRole("heading", { level: 2 }).textContent.trim();
const press = (name: string) => panel().getByRole("button", { name }).focus();
const shows = (words: string) =>
  waitFor(() => expect(screen.getByRole("region", { name: /^Category/ }).textContent).toContain(words));
const isDone = (words: string) => waitFor(() => expect(screen.getByText(words)).toBeTruthy());

test("the keyboard alone renames, splits, undoes and merges a category", async () => {
  const { user, store } = await openCodebook();
  expect(heading()).toBe("Lucky");
  press("Edit");
  await user.keyboard("{Enter}");
  const name = panel().getByLabelText<HTMLInputElement>(/^Name/);
  expect(document.activeElement).toBe(name);
  await user.keyboard("{Enter}");
  await waitFor(() => expect(panel().getByRole("alert").textContent).toContain("Nothing changed"));
  await user.clear(name);
  await user.keyboard("Good luck{Enter}");
  await isDone("Saved “Good luck”.");
  await waitFor(() => expect(heading()).toBe("Good luck"));

  press("Split");
  await user.keyboard("{Enter}Guessed");
  await user.click(panel().getByLabelText("New category 2"));
  await user.keyboard("Raced{Enter}");
  await isDone("Split “Good luck”.");
  await shows("Split into Guessed, Raced");
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await isDone("Undone.");
  await waitFor(() => expect(panel().getByRole("button", { name: "Merge" })).toBeTruthy());

  press("Merge");
  await user.keyboard("{Enter}no such thing{Enter}");
  await waitFor(() => expect(panel().getByRole("alert").textContent).toContain("called “no such thing”"));
  await user.clear(panel().getByLabelText("Merge into"));
  await user.keyboard("misread TASK{Enter}");
  await shows("Merged into Misread task");
  const { codebook } = await readCodebook(store);
  expect(codebook.version).toBe(4);
});

test("the second of two users who change a category sees the conflict and keeps typed text", async () => {
  const { user, store } = await openCodebook();
  press("Edit");
  await user.keyboard("{Enter}");
  await user.type(panel().getByLabelText(/^Example/), "A race that ends well.");
  const { byId } = await readCodebook(store);
  const text = { ...byId.get(ID), parent: "", definition: "By chance alone." } as never;
  await change(store, { form: { kind: "edit", id: ID, text }, baseVersion: 0, author: "Ada" });
  await user.click(panel().getByRole("button", { name: "Save" }));
  await waitFor(() => expect(panel().getByRole("alert").textContent).toContain("Ada changed this meanwhile"));
  expect(panel().getByLabelText<HTMLTextAreaElement>(/^Example/).value).toContain("A race that ends well.");
  await user.click(panel().getByRole("button", { name: "Replace theirs" }));
  await shows("A race that ends well.");
});

test("the message of a failed undo disappears with the next change", async () => {
  const { user, store } = await openCodebook();
  await user.click(panel().getByRole("button", { name: "Retire" }));
  await screen.findByText(/^Retired/);
  const alerts = () => screen.getAllByRole("alert").map(({ textContent }) => textContent);
  await change(store, { form: { kind: "restore", id: ID }, baseVersion: 1, author: "Ada" });
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(alerts().join("")).toContain("Ada changed this meanwhile"));
  await user.click(await panel().findByRole("button", { name: "Retire" }));
  await waitFor(() => expect(alerts().join("")).toBe(""));
  expect((await readCodebook(store)).codebook.version).toBe(3);
});

test("a change requires a name, and an unanswered one keeps typed text", async () => {
  const { user } = await openCodebook();
  const name = screen.getByPlaceholderText<HTMLInputElement>("Your name");
  await user.clear(name);
  await user.click(panel().getByRole("button", { name: "Retire" }));
  await waitFor(() => expect(panel().getByRole("alert").textContent).toContain("Enter your name"));
  expect(document.activeElement).toBe(name);
  await user.keyboard("Grace");
  answerAction("changeCodebookAction", () => {
    throw new Error("no answer");
  });
  await user.click(panel().getByRole("button", { name: "Edit" }));
  await user.type(panel().getByLabelText(/^Example/), "Kept.");
  await user.click(panel().getByRole("button", { name: "Save" }));
  await waitFor(() => expect(panel().getByRole("alert").textContent).toContain("Assay is not responding."));
  expect(panel().getByLabelText<HTMLTextAreaElement>(/^Example/).value).toContain("Kept.");
});

test("a codebook file is compared before its import, and errors name the problem", async () => {
  const store = openDeskStore();
  answerAction("importCodebookAction", async (request: Parameters<typeof importCodebook>[1]) => {
    if (request.author === "")
      return { status: "invalid", message: "Enter your name (shown with the change)." };
    try {
      return { ...(await importCodebook(store, request)), status: "compared" };
    } catch (error) {
      return { status: "failed", message: String(error) };
    }
  });
  const { user } = openPage(() => (
    <CodebookDesk version={0} reviewerId="" parts={null}>
      <FileTab />
    </CodebookDesk>
  ));
  const choose = (text: string) =>
    user.upload(screen.getByLabelText(/^Codebook file/), new File([text], "codebook.json"));
  const says = (words: string) =>
    waitFor(() =>
      expect(
        screen
          .getAllByRole("status")
          .map((one) => one.textContent)
          .join(),
      ).toContain(words),
    );
  const one = (values: object) => JSON.stringify({ schema: "assay.codebook/1", categories: [values] });
  await choose(one({ label: "Stopped early", definition: "The first.", contexts: ["fail"] }));
  await says("Enter your name (shown with the change)");
  await user.type(screen.getByPlaceholderText("Your name"), "Ada");
  await user.click(screen.getByRole("button", { name: "Check again" }));
  await says("Dry run. 0 added, 1 changed");
  expect((await readCodebook(store)).codebook.version).toBe(0);
  await user.click(screen.getByRole("button", { name: "Import" }));
  await says("Imported as version 1.");
  expect((await readCodebook(store)).codebook.version).toBe(1);
  await choose(one({ label: "<img src=x>", contexts: [] }));
  await says("entry 1 (<img src=x>)");
  expect(screen.queryByRole("button", { name: "Import" })).toBeNull();
});
