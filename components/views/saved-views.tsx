"use client";

import { useEffect, useRef, useState } from "react";

import { ForAction } from "@/components/shell/account-context";
import { CommandKey } from "@/components/shell/command-key";
import { useAction } from "@/components/shell/use-action";
import { Button, ButtonLink } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { DataTable } from "@/components/ui/data-table";
import { FieldsForm } from "@/components/ui/fields-form";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Problem } from "@/components/ui/problem";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TimeText } from "@/components/ui/time-text";
import { withBasePath } from "@/lib/core/domain/base-path";
import { deleteRunSetAction, renameRunSetAction, restoreRunSetAction } from "@/lib/pages/run-sets/actions";
import { deleteViewAction, renameViewAction, restoreViewAction } from "@/lib/pages/views/actions";
import type { ViewRow } from "@/lib/pages/views/page";

import "./saved-views.css";

const KINDS = {
  views: {
    caption: "Saved views",
    detail: "Address",
    rename: renameViewAction,
    remove: deleteViewAction,
    restore: restoreViewAction,
  },
  runSets: {
    caption: "Run sets",
    detail: "Jobs counted together",
    rename: renameRunSetAction,
    remove: deleteRunSetAction,
    restore: restoreRunSetAction,
  },
} as const;

interface SavedViewsProps {
  readonly views: readonly ViewRow[];
  readonly kind?: keyof typeof KINDS;
}

export function SavedViews({ views, kind = "views" }: SavedViewsProps) {
  const { caption, detail } = KINDS[kind];
  const changes = useChanges(kind);
  const { renaming, deleted, problem, isChanging, restore } = changes;
  const columns: readonly DataColumn<ViewRow>[] = [
    column(
      "Name",
      (view) =>
        renaming === view.id ? (
          <RenameForm view={view} changes={changes} />
        ) : (
          <Link href={view.href} data-row-link="">
            {view.name}
          </Link>
        ),
      { className: "name" },
    ),
    column(
      detail,
      (view) => (
        <span title={view.detail}>
          {view.detail === view.href ? <code>{view.detail}</code> : view.detail}
        </span>
      ),
      { className: "cut saved-views-address" },
    ),
    column(
      "Saved",
      ({ created, createdBy }) => (
        <>
          <TimeText time={created} />
          {createdBy === null ? "" : ` by ${createdBy}`}
        </>
      ),
      { room: "minor" },
    ),
    column("Change", (view) => <ViewActions view={view} changes={changes} />, {
      className: "saved-views-actions",
    }),
  ];
  return (
    <>
      <Problem>{problem}</Problem>
      <p role="status" className="saved-views-undo">
        {deleted === null ? null : (
          <>
            Deleted {deleted.name}.{" "}
            <Button id={`${UNDO_BUTTON_ID}-${kind}`} disabled={isChanging} onClick={() => restore(deleted)}>
              Undo
            </Button>
          </>
        )}
      </p>
      {views.length > 0 ? (
        <DataTable caption={caption} columns={columns} rows={views} rowKey={({ id }) => id} />
      ) : kind === "views" ? (
        <NoViews />
      ) : (
        <Notice title="No run sets" actions={<ButtonLink href="/">Open the jobs</ButtonLink>}>
          Select jobs in the list of jobs, then count them together.
        </Notice>
      )}
    </>
  );
}

function useChanges(kind: keyof typeof KINDS) {
  const actions = KINDS[kind];
  const [renaming, setRenaming] = useState<string | null>(null);
  const [deleted, setDeleted] = useState<ViewRow | null>(null);
  const { problem, isPending: isChanging, run } = useAction();
  const focusNext = useFocusNext();
  const endRenaming = (id: string): void => {
    setRenaming(null);
    focusNext(renameButtonId(id));
  };
  const rename = (id: string, name: string): void =>
    run(
      () => actions.rename(id, name),
      () => endRenaming(id),
    );
  const remove = (view: ViewRow): void =>
    run(
      () => actions.remove(view.id),
      () => {
        setDeleted(view);
        // The pressed button disappears with its row.
        focusNext(`${UNDO_BUTTON_ID}-${kind}`);
      },
    );
  const restore = ({ id }: ViewRow): void =>
    run(
      () => actions.restore(id),
      () => {
        setDeleted(null);
        focusNext(renameButtonId(id));
      },
    );
  return { renaming, setRenaming, deleted, problem, isChanging, endRenaming, rename, remove, restore };
}

function NoViews() {
  return (
    <Notice title="No saved views" actions={<ButtonLink href="/">Open the jobs</ButtonLink>}>
      <ForAction action="saveViewAction" subject="Saving views">
        {" "}
        Open a page with the filters you need, press <CommandKey id="everywhere.search" /> and choose
        &ldquo;Save this view&rdquo;. It then appears in this list, and <CommandKey id="everywhere.search" />{" "}
        finds it by name from anywhere.
      </ForAction>{" "}
    </Notice>
  );
}

const UNDO_BUTTON_ID = "undo-delete";

function renameButtonId(id: string): string {
  return `rename-${id}`;
}

function useFocusNext(): (elementId: string) => void {
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    const element = wanted.current === null ? null : document.getElementById(wanted.current);
    element?.focus();
    // It may not exist yet, or not take the focus during a save.
    if (document.activeElement === element) wanted.current = null;
  });
  return (elementId) => {
    wanted.current = elementId;
  };
}

interface ViewProps {
  readonly view: ViewRow;
  readonly changes: ReturnType<typeof useChanges>;
}

function ViewActions({ view, changes: { isChanging, setRenaming, remove } }: ViewProps) {
  const { id, name, href } = view;
  return (
    <>
      <CopyButton text={() => location.origin + withBasePath(href)} label={`Copy link to ${name}`}>
        Copy link
      </CopyButton>
      <ForAction action="renameViewAction">
        <Button
          id={renameButtonId(id)}
          look="bare"
          aria-label={`Rename ${name}`}
          onClick={() => setRenaming(id)}
        >
          Rename
        </Button>
        <Button look="bare" disabled={isChanging} aria-label={`Delete ${name}`} onClick={() => remove(view)}>
          Delete
        </Button>
      </ForAction>
    </>
  );
}

function RenameForm({ view: { id, name }, changes: { isChanging, rename, endRenaming } }: ViewProps) {
  const [typed, setTyped] = useState(name);
  return (
    <FieldsForm
      className="row saved-views-rename"
      onSend={() => rename(id, typed)}
      onCancel={() => endRenaming(id)}
    >
      <input
        className="input"
        aria-label={`New name of ${name}`}
        value={typed}
        maxLength={80}
        required
        autoFocus
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" disabled={isChanging}>
        Rename
      </Button>
      <Button look="bare" onClick={() => endRenaming(id)}>
        Cancel
      </Button>
    </FieldsForm>
  );
}
