import { Link } from "@/components/ui/link";
import { openTrialHref } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";

import "./trace-source.css";

export function TraceSource({ page, asked }: { page: TrialPage; asked: string | null }) {
  const { at, trajectory } = page;
  const { sources, path: shown, notes } = trajectory.origin;
  const current = sources.find(({ path }) => path === shown);
  if (current === undefined) return null;
  const [richest] = sources;
  const lacks = current.lacks === null ? [] : [`This format does not record ${current.lacks}.`];
  return (
    <div className="trace-source">
      <span className="muted">Read from</span>
      <Link href={openTrialHref(at, { tab: "files", file: current.file })}>
        <code>{current.file}</code>
      </Link>
      {sources.length === 1 ? (
        <span className="muted">{current.format}</span>
      ) : (
        <nav aria-label="Traces of this trial">
          {sources.map(({ path, file, format }) => (
            <Link
              key={path}
              href={openTrialHref(at, { source: path === richest?.path ? null : path })}
              mode="replace"
              title={path}
              aria-current={path === shown ? "true" : undefined}
            >
              {sources.filter((one) => one.format === format).length === 1
                ? format
                : `${format}, ${file.split("/").at(-1) ?? file}`}
            </Link>
          ))}
        </nav>
      )}
      {asked === null || asked === shown ? null : (
        <p role="status">
          <code>{asked}</code> holds no trace; this is the most complete one.
        </p>
      )}
      {lacks.length + notes.length === 0 ? null : <p className="caption">{[...lacks, ...notes].join(" ")}</p>}
    </div>
  );
}
