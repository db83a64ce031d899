"use client";

import {
  ChartNoAxesColumn,
  FileText,
  Flag,
  Folder,
  List,
  PanelLeft,
  SquareCheckBig,
  TriangleAlert,
} from "lucide-react";
import { usePathname } from "next/navigation";

import { Mark } from "@/components/ui/mark";
import { PrefetchLink } from "@/components/ui/prefetch-link";
import { formatCount, formatPlural, MISSING } from "@/lib/core/format/number";
import type { ShellModel } from "@/lib/pages/shell/shell";

import { CommandKey } from "./command-key";
import { useLiveState } from "./live-state";
import { BENCHMARKS, COMPARE, FAILURES, REVIEW, RUNS } from "./places";
import { toggleRail } from "./theme";

const PLACES = [
  { ...RUNS, Icon: List, paths: ["/jobs", "/trials", "/run-sets", "/views", "/load-report"] },
  { ...BENCHMARKS, Icon: Flag, paths: ["/datasets", "/tasks"] },
  { ...COMPARE, Icon: ChartNoAxesColumn, paths: ["/compare", "/diff"] },
  { ...FAILURES, Icon: TriangleAlert, paths: ["/errors"] },
  { ...REVIEW, Icon: SquareCheckBig, paths: ["/annotations"] },
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
        {PLACES.map(({ href, label, Icon, paths }) => (
          <PrefetchLink
            key={href}
            href={href}
            title={label}
            aria-current={
              pathname === href || paths.some((path) => pathname.startsWith(path)) ? "page" : undefined
            }
          >
            <Icon size={16} strokeWidth={1.5} aria-hidden />
            <span>{label}</span>
          </PrefetchLink>
        ))}
      </nav>
      <div className="rail-sources caption">
        <h2>Sources</h2>
        <ul>
          {shell.roots.map((root) => (
            <li key={root.path} className="row" title={root.path}>
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
          <PrefetchLink href="/load-report" className="inline-row rail-issues" title="Open the load report">
            {shell.nProblems > 0 ? <Mark status="errored" size={16} /> : <FileText aria-hidden />}
            <span>{describeIssues(shell)}</span>
          </PrefetchLink>
        </p>
      </div>
      <button
        type="button"
        className="rail-collapse"
        data-command="everywhere.rail"
        title="Collapse or expand the rail"
        onClick={toggleRail}
      >
        <PanelLeft size={16} strokeWidth={1.5} aria-hidden />
        <span>Collapse</span>
        <CommandKey id="everywhere.rail" />
      </button>
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
