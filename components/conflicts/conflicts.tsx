import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { ConflictsPage } from "@/lib/pages/conflicts/page";

import { ConflictList } from "./conflict-list";
import { ConflictSides } from "./conflict-sides";
import { DecisionForm } from "./decision-form";

import "./conflicts-page.css";

export function Conflicts({ page }: { page: ConflictsPage }) {
  const { open, rows, scope } = page;
  if (rows.length === 0) return <NoConflicts page={page} />;
  return (
    <div className="conflict-columns">
      <ConflictList page={page} />
      {open === null ? (
        <Notice title="This conflict is not in the list any more">
          A reviewer changed a judgment since the link was made. Choose another one.
        </Notice>
      ) : (
        <>
          <ConflictSides conflict={open} />
          <DecisionForm conflict={open} scope={scope} />
        </>
      )}
    </div>
  );
}

function NoConflicts({ page: { nTwice } }: { page: ConflictsPage }) {
  if (nTwice > 0)
    return (
      <Notice title="No conflicts">
        All trials that were reviewed twice have the same judgment from everybody.
      </Notice>
    );
  return (
    <Notice
      title="No trial was reviewed twice yet"
      actions={<ButtonLink href={"/annotations"}>All annotations</ButtonLink>}
    >
      Agreement and conflicts come from trials that two reviewers judged. A queue with double review makes
      them.
    </Notice>
  );
}
