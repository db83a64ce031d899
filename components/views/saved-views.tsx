"use client";

import Link from "next/link";
import { useState, useTransition } from "react";

import { deleteViewAction, renameViewAction, restoreViewAction, type ViewResult } from "@/app/views/actions";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Table } from "@/components/ui/table";
import type { ViewRow } from "@/lib/queries/views-page";

import "./saved-views.css";

const COLUMNS = [
  { id: "name", label: "Name" },
  { id: "address", label: "Address" },
  { id: "saved", label: "Saved" },
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
  return (
    <>
      <p role="alert" className="saved-views-failure">
        {failure}
      </p>
      <p role="status" className="saved-views-undo">
        {deleted === null ? null : (
          <>
            Deleted {deleted.name}.{" "}
            <Button
              disabled={isChanging}
              onClick={() => change(() => restoreViewAction(deleted.id), () => setDeleted(null))}
            >
              Undo
            </Button>
          </>
        )}
      </p>
      {views.length === 0 ? (
        <Notice title="No saved view">
          Open a page with the filters you need, press Ctrl K and choose &ldquo;Save this view&rdquo;.
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
                      onRename={(name) =>
                        change(() => renameViewAction(view.id, name), () => setRenaming(null))
                      }
                      onCancel={() => setRenaming(null)}
                    />
                  ) : (
                    <Link href={view.href} prefetch={false} data-row-link="">
                      {view.name}
                    </Link>
                  )}
                </td>
                <td className="saved-views-address" title={view.href}>
                  <code>{view.href}</code>
                </td>
                <td>
                  {view.created} UTC{view.createdBy === null ? "" : ` by ${view.createdBy}`}
                </td>
                <td className="saved-views-actions">
                  <Button look="bare" aria-label={`Rename ${view.name}`} onClick={() => setRenaming(view.id)}>
                    Rename
                  </Button>
                  <Button
                    look="bare"
                    disabled={isChanging}
                    aria-label={`Delete ${view.name}`}
                    onClick={() => change(() => deleteViewAction(view.id), () => setDeleted(view))}
                  >
                    Delete
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
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
  onRename: (name: string) => void;
  onCancel: () => void;
}) {
  const [name, setName] = useState(view.name);
  return (
    <form
      className="saved-views-rename"
      onSubmit={(event) => {
        event.preventDefault();
        onRename(name);
      }}
      onKeyDown={(event) => (event.key === "Escape" ? onCancel() : undefined)}
    >
      <input
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
