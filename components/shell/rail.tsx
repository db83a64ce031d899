import { ChartNoAxesColumn, CircleAlert, Folder, List, MessageSquareText } from "lucide-react";
import Link from "next/link";

import { formatCount, formatPlural } from "@/lib/format/number";

import { RailLinks } from "./rail-links";

/** What the rail shows on every page. */
export interface ShellModel {
  readonly nJobs: number;
  readonly nTrials: number;
  readonly nErrors: number;
  readonly nAnnotations: number | null;
  readonly nProblems: number;
  readonly nNotes: number;
  readonly roots: readonly { readonly label: string; readonly path: string; readonly nTrials: number }[];
  readonly scannedAge: string;
}

const ICON = { size: 16, strokeWidth: 1.5, "aria-hidden": true } as const;

/** The left rail: the pages, then the open folders with their state and the load report. */
export function Rail({ shell }: { shell: ShellModel }) {
  return (
    <aside className="rail">
      <Link className="rail-brand" href="/" aria-label="Assay">
        <svg width={16} height={16} aria-hidden="true">
          <use href="#seal-exact" />
        </svg>
        <span>Assay</span>
      </Link>
      <RailLinks
        links={[
          { href: "/", label: "Jobs", icon: <List {...ICON} />, count: formatCount(shell.nJobs) },
          { href: "/compare", label: "Compare", icon: <ChartNoAxesColumn {...ICON} />, count: null },
          {
            href: "/errors",
            label: "Errors",
            icon: <CircleAlert {...ICON} />,
            count: formatCount(shell.nErrors),
          },
          {
            href: "/annotations",
            label: "Annotations",
            icon: <MessageSquareText {...ICON} />,
            count: formatCount(shell.nAnnotations),
          },
        ]}
      />
      <div className="rail-sources">
        <h2>Sources</h2>
        <ul>
          {shell.roots.map((root) => (
            <li key={root.path} title={root.path}>
              <Folder size={12} aria-hidden />
              <span className="cut">{root.label}</span>
              <span>{formatCount(root.nTrials)}</span>
            </li>
          ))}
        </ul>
        <p className="rail-age">
          {formatPlural(shell.nTrials, "trial")}, read {shell.scannedAge}
        </p>
        <p>
          <Link href={"/load-report"} className="rail-issues" title="Open the load report">
            <svg
              className={shell.nProblems > 0 ? "mark-errored" : "mark-missing"}
              width={12}
              height={12}
              aria-hidden="true"
            >
              <use href={shell.nProblems > 0 ? "#mark-errored" : "#mark-missing"} />
            </svg>
            <span>
              {shell.nProblems + shell.nNotes === 0
                ? "No load issues"
                : `${formatPlural(shell.nProblems, "problem")}, ${formatPlural(shell.nNotes, "note")}`}
            </span>
          </Link>
        </p>
      </div>
    </aside>
  );
}
