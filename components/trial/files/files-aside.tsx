import { Link } from "@/components/ui/link";
import type { EarlierAttempt } from "@/lib/core/domain/trial-file";
import { formatPlural } from "@/lib/core/format/number";
import { type OpenTrial, openTrialHref, type TrialParams } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";
import type { FileList, FoundInFiles } from "@/lib/read/trial-reading";

import { FindField } from "../trajectory/find-field";
import { FileTree } from "./file-tree";
import { describeFound, FoundFiles, listFoundPlaces } from "./found-files";

export function FilesAside({
  page: { at },
  search,
  list,
  attempts,
  found,
}: {
  page: TrialPage;
  search: TrialParams;
  list: FileList;
  attempts: readonly EarlierAttempt[];
  found: FoundInFiles | null;
}) {
  const nFiles = list.entries.filter(({ kind }) => kind === "file").length;
  const places = found === null ? [] : listFoundPlaces(found, at, search);
  const current = places.findIndex(({ isOpen }) => isOpen);
  return (
    <section className="trial-aside files-aside" aria-label="Files" role="search">
      <div className="aside-head">
        <h2>Files</h2>
        <span className="caption" role={found === null ? undefined : "status"}>
          {found === null ? formatPlural(nFiles, "file") : describeFound(found)}
        </span>
      </div>
      {attempts.length === 0 ? null : <Attempts at={at} attempts={attempts} open={search.attempt} />}
      <div className="row">
        <FindField
          label="Search in all files"
          noun="match"
          isFilter={found !== null}
          nextHref={(places[current + 1] ?? places[0])?.href ?? null}
          previousHref={(places.at(current < 0 ? -1 : current - 1) ?? places[0])?.href ?? null}
        />
      </div>
      {found === null ? (
        <FileTree
          key={search.attempt}
          entries={list.entries}
          cutNote={list.cutNote}
          base={openTrialHref(at, { tab: "files", attempt: search.attempt })}
          open={search.file}
        />
      ) : (
        <FoundFiles found={found} places={places} />
      )}
    </section>
  );
}

function Attempts({
  at,
  attempts,
  open,
}: {
  at: OpenTrial;
  attempts: readonly EarlierAttempt[];
  open: string | null;
}) {
  return (
    <nav className="file-attempts" aria-label="Attempts">
      {attempts.map(({ name, outcome }) => (
        <Link
          key={name}
          href={openTrialHref(at, { tab: "files", attempt: name })}
          mode="stay"
          aria-current={name === open ? "true" : undefined}
        >
          <b>{name}</b> <span className="muted">{outcome ?? "neither reward nor exception"}</span>
        </Link>
      ))}
      <Link
        href={openTrialHref(at, { tab: "files" })}
        mode="stay"
        aria-current={open === null ? "true" : undefined}
      >
        <b>This trial</b> <span className="muted">the last attempt</span>
      </Link>
      {open === null ? null : (
        <p className="caption">An earlier attempt, which was retried. It counts in no figure.</p>
      )}
    </nav>
  );
}
