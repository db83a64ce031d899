"use client";

import { useState } from "react";

import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { Problem } from "@/components/ui/problem";
import { column } from "@/components/ui/table-columns";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { type Role, ROLES } from "@/lib/core/domain/account";
import { changeFolderRoleAction } from "@/lib/pages/accounts/actions";
import type { FolderChoice } from "@/lib/pages/accounts/pages";

import "./accounts.css";

const WORDS: Readonly<Record<Role, string>> = {
  viewer: "everyone signed in",
  reviewer: "reviewers and above",
  adjudicator: "adjudicators and admins",
  admin: "admins only",
};

interface Change {
  readonly address: string;
  readonly from: Role;
  readonly to: Role;
}

export function FolderList({ folders }: { folders: readonly FolderChoice[] }) {
  const { problem, isPending, run } = useAction();
  const inBrowser = useInBrowser();
  const [last, setLast] = useState<Change | null>(null);
  const choose = ({ address, from, to }: Change, next: Change | null) =>
    run(
      () => changeFolderRoleAction({ address, role: to }),
      () => {
        if (from !== to) setLast(next);
      },
    );
  return (
    <>
      <p className="muted">A folder, its jobs, trials and judgments are hidden from users below its role.</p>
      <Problem>{problem}</Problem>
      <DataTable
        caption="Opened folders"
        className="table-lines"
        columns={[
          column<FolderChoice>("Folder or bucket", ({ address }) => address, {
            className: "name wrap",
            phone: "first",
          }),
          column<FolderChoice>(
            "Seen by",
            ({ address, role }) => (
              <select
                className="input"
                aria-label={`Visibility of ${address}`}
                value={role}
                disabled={!inBrowser}
                aria-disabled={isPending}
                onChange={({ target }) => {
                  const to = ROLES.find((one) => one === target.value);
                  if (to === undefined) return;
                  const made = { address, from: role, to };
                  choose(made, made);
                }}
              >
                {ROLES.map((one) => (
                  <option key={one} value={one}>
                    {WORDS[one]}
                  </option>
                ))}
              </select>
            ),
            { phone: "second" },
          ),
        ]}
        rows={folders}
        rowKey={({ address }) => address}
      />
      <p role="status">
        {last === null ? null : (
          <>
            {last.address} is now seen by {WORDS[last.to]}.{" "}
            <Button
              look="bare"
              aria-disabled={isPending}
              onClick={() => choose({ address: last.address, from: last.to, to: last.from }, null)}
            >
              Undo
            </Button>
          </>
        )}
      </p>
    </>
  );
}
