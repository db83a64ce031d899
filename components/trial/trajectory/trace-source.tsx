import type { CommandId } from "@/components/shell/key-map";
import { Link } from "@/components/ui/link";
import { Segment } from "@/components/ui/segment";
import { openTrialHref } from "@/lib/pages/trial/address";

import type { ShownTrial } from "../trial-parts";

const TRACE_COMMANDS: Readonly<Record<number, CommandId>> = {
  [-1]: "trial.previousTrace",
  1: "trial.nextTrace",
};

export function TraceSource({ page: { at, trajectory, search } }: { page: ShownTrial }) {
  const { sources, path: shown, notes } = trajectory.origin;
  const open = sources.findIndex(({ path }) => path === shown);
  const current = sources[open];
  const { source: asked } = search;
  if (current === undefined) return null;
  const [richest] = sources;
  const isChoice = sources.length > 1 || asked !== null || notes.length > 0;
  if (search.tab === "trajectory" && !isChoice) return null;
  const lacks = current.lacks === null ? [] : [`This format does not record ${current.lacks}.`];
  return (
    <div className="flow trace-source">
      <span className="muted">Read from</span>
      <Link href={openTrialHref(at, { tab: "files", file: current.file })}>
        <code>{current.file}</code>
      </Link>
      {sources.length === 1 ? (
        <span className="muted">{current.format}</span>
      ) : (
        <Segment
          label="Traces of this trial"
          value={current.path}
          options={sources.map(({ path, file, format }, nth) => ({
            value: path,
            label:
              sources.filter((one) => one.format === format).length === 1
                ? format
                : `${format}, ${file.split("/").at(-1) ?? file}`,
            title: path,
            command: TRACE_COMMANDS[nth - open],
          }))}
          hrefOf={(path) => openTrialHref(at, { source: path === richest?.path ? null : path })}
        />
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
