"use client";

import {
  Bookmark,
  ChartNoAxesColumn,
  CircleAlert,
  Database,
  FileText,
  Folder,
  List,
  MessageSquareText,
  Table2,
} from "lucide-react";
import { usePathname } from "next/navigation";

import { Mark } from "@/components/ui/mark";
import { PrefetchLink } from "@/components/ui/prefetch-link";
import { formatCount, formatPlural, MISSING } from "@/lib/core/format/number";
import type { ShellModel } from "@/lib/pages/shell/shell";

import { useLiveState } from "./live-state";

const PAGES = [
  { href: "/", label: "Jobs", Icon: List, count: "nJobs" },
  { href: "/trials", label: "Trials", Icon: Table2, count: "nTrials" },
  { href: "/compare", label: "Compare", Icon: ChartNoAxesColumn, count: null },
  { href: "/datasets", label: "Datasets", Icon: Database, count: null },
  { href: "/errors", label: "Triage", Icon: CircleAlert, count: null },
  { href: "/annotations", label: "Annotations", Icon: MessageSquareText, count: "nAnnotations" },
  { href: "/views", label: "Saved views", Icon: Bookmark, count: "nViews" },
] as const;

export function Rail({ shell }: { shell: ShellModel }) {
  const pathname = usePathname();
  return (
    <aside className="rail">
      <PrefetchLink className="row rail-brand" href="/" aria-label="Assay">
        <svg width={16} height={16} aria-hidden="true">
          <use href="#check-exact" />
        </svg>
        <span>Assay</span>
      </PrefetchLink>
      <nav className="rail-links" aria-label="Pages">
        {PAGES.map(({ href, label, Icon, count }) => (
          <PrefetchLink
            key={href}
            href={href}
            title={label}
            aria-current={isCurrent(pathname, href) ? "page" : undefined}
          >
            <Icon size={16} strokeWidth={1.5} aria-hidden />
            <span>{label}</span>
            {count === null ? null : <span className="rail-count">{formatCount(shell[count])}</span>}
          </PrefetchLink>
        ))}
      </nav>
      <div className="rail-sources caption">
        <h2>Sources</h2>
        <ul>
          {shell.roots.map((root) => (
            <li key={root.path} title={root.path}>
              <Folder size={12} aria-hidden />
              <span className="cut grow">{root.label}</span>
              <span>{shell.nTrials === null ? MISSING : formatCount(root.nTrials)}</span>
            </li>
          ))}
        </ul>
        <p className="rail-age">
          {shell.nTrials === null
            ? shell.hasIndex
              ? "Trials"
              : "No index"
            : formatPlural(shell.nTrials, "trial")}
          <RailState />
        </p>
        <p>
          <PrefetchLink href="/load-report" className="rail-issues" title="Open the load report">
            {shell.nProblems > 0 ? <Mark status="errored" size={16} /> : <FileText aria-hidden />}
            <span>{describeIssues(shell)}</span>
          </PrefetchLink>
        </p>
      </div>
    </aside>
  );
}

function describeIssues({ hasIndex, isPartial, nProblems, nNotes }: ShellModel): string {
  if (!hasIndex) return "Load report";
  if (nProblems + nNotes === 0) return `No load issues${isPartial ? " so far" : ""}`;
  return `${formatPlural(nProblems, "problem")}, ${formatPlural(nNotes, "note")}`;
}

function RailState() {
  const status = useLiveState()?.status;
  if (status === undefined || status.phase === "failed") return null;
  const isCurrent = status.isComplete && status.phase !== "reading";
  return isCurrent ? ", up to date" : ", being read";
}

function isCurrent(pathname: string, href: string): boolean {
  return href === "/" ? pathname === "/" || pathname.startsWith("/jobs") : pathname.startsWith(href);
}
