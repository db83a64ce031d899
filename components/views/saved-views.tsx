"use client";

import { useEffect, useRef, useState, useTransition } from "react";

import { deleteViewAction, renameViewAction, restoreViewAction, type ViewResult } from "@/lib/actions/views";
import { Button, ButtonLink, KeyCap } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Table } from "@/components/ui/table";
import { TimeText } from "@/components/ui/time-text";
import type { ViewRow } from "@/lib/queries/shell/views";

import "./saved-views.css";

const COLUMNS = [
  { id: "name", label: "Name" },
  { id: "address", label: "Address" },
  { id: "saved", label: "Saved", minor: true },
  { id: "change", label: "Change" },
];

/** Every saved view, to open, rename and delete; a deleted one can be brought back until the page is left. */
export function SavedViews({ views }: { views: readonly ViewRow[] }) {
  const [renaming, setRenaming] = useState<string | null>(null);
  const [deleted, setDeleted] = useState<ViewRow | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isChanging, startChange] = useTransition();
  const change = (work: () => Promise<ViewResult>, onDone: () => void): void =>
    startChange(async () => {
      const result = await work();
      setFailure(result.status === "failed" ? result.message : null);
      if (result.status === "done") onDone();
    });
  const focusNext = useFocusNext();
  const endRenaming = (id: string): void => {
    setRenaming(null);
    focusNext(renameButtonId(id));
  };
  const rename = (id: string, name: string): void =>
    change(
      () => renameViewAction(id, name),
      () => endRenaming(id),
    );
  const remove = (view: ViewRow): void =>
    change(
      () => deleteViewAction(view.id),
      () => {
        setDeleted(view);
        // The button that was pressed goes with its row.
        focusNext(UNDO_BUTTON_ID);
      },
    );
  const restore = ({ id }: ViewRow): void =>
    change(
      () => restoreViewAction(id),
      () => {
        setDeleted(null);
        focusNext(renameButtonId(id));
      },
    );
  return (
    <>
      <p role="alert" className="saved-views-failure">
        {failure}
      </p>
      <Deleted view={deleted} isChanging={isChanging} onRestore={restore} />
      {views.length === 0 ? (
        <Notice title="No saved views" actions={<ButtonLink href="/">Open the jobs</ButtonLink>}>
          Open a page with the filters you need, press <KeyCap>Ctrl K</KeyCap> and choose &ldquo;Save this
          view&rdquo;. It then appears in this list, and <KeyCap>Ctrl K</KeyCap> finds it by name from
          anywhere.
        </Notice>
      ) : (
        <Table caption="Saved views" columns={COLUMNS}>
          <tbody>
            {views.map((view) => (
              <tr key={view.id}>
                <td className="name">
                  {renaming === view.id ? (
                    <RenameForm
                      view={view}
                      isChanging={isChanging}
                      onRename={rename}
                      onCancel={() => endRenaming(view.id)}
                    />
                  ) : (
                    <Link href={view.href} data-row-link="">
                      {view.name}
                    </Link>
                  )}
                </td>
                <ViewCells view={view} isChanging={isChanging} onRename={setRenaming} onDelete={remove} />
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </>
  );
}

/** What was deleted last, and the way back. */
function Deleted({
  view,
  isChanging,
  onRestore,
}: {
  view: ViewRow | null;
  isChanging: boolean;
  onRestore: (view: ViewRow) => void;
}) {
  return (
    <p role="status" className="saved-views-undo">
      {view === null ? null : (
        <>
          Deleted {view.name}.{" "}
          <Button id={UNDO_BUTTON_ID} disabled={isChanging} onClick={() => onRestore(view)}>
            Undo
          </Button>
        </>
      )}
    </p>
  );
}

const UNDO_BUTTON_ID = "undo-delete";

function renameButtonId(id: string): string {
  return `rename-${id}`;
}

/** Gives the focus to an element as soon as it is there, where what had it went away. */
function useFocusNext(): (elementId: string) => void {
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    const element = wanted.current === null ? null : document.getElementById(wanted.current);
    element?.focus();
    // It may not be there yet, or not take the focus while something is being saved.
    if (document.activeElement === element) wanted.current = null;
  });
  return (elementId) => {
    wanted.current = elementId;
  };
}

function ViewCells({
  view,
  isChanging,
  onRename,
  onDelete,
}: {
  view: ViewRow;
  isChanging: boolean;
  onRename: (id: string) => void;
  onDelete: (view: ViewRow) => void;
}) {
  const { id, name, href, created, createdBy } = view;
  return (
    <>
      <td className="saved-views-address" title={href}>
        <code>{href}</code>
      </td>
      <td className="minor">
        <TimeText time={created} />
        {createdBy === null ? "" : ` by ${createdBy}`}
      </td>
      <td className="saved-views-actions">
        <CopyButton text={() => location.origin + href} label={`Copy link to ${name}`}>
          Copy link
        </CopyButton>
        <Button
          id={renameButtonId(id)}
          look="bare"
          aria-label={`Rename ${name}`}
          onClick={() => onRename(id)}
        >
          Rename
        </Button>
        <Button
          look="bare"
          disabled={isChanging}
          aria-label={`Delete ${name}`}
          onClick={() => onDelete(view)}
        >
          Delete
        </Button>
      </td>
    </>
  );
}

function RenameForm({
  view,
  isChanging,
  onRename,
  onCancel,
}: {
  view: ViewRow;
  isChanging: boolean;
  onRename: (id: string, name: string) => void;
  onCancel: () => void;
}) {
  const [name, setName] = useState(view.name);
  return (
    <form
      className="saved-views-rename"
      onSubmit={(event) => {
        event.preventDefault();
        onRename(view.id, name);
      }}
      onKeyDown={(event) => (event.key === "Escape" ? onCancel() : undefined)}
    >
      <input
        className="input"
        aria-label={`New name of ${view.name}`}
        value={name}
        maxLength={80}
        required
        autoFocus
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" disabled={isChanging}>
        Rename
      </Button>
      <Button look="bare" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}
