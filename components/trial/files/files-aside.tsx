import { openTrialHref, type TrialParams } from "@/lib/addresses/trial";
import { formatPlural } from "@/lib/format/number";
import type { TrialPage } from "@/lib/queries/trial/page";
import type { FileList, FoundInFiles } from "@/lib/trial-reading";

import { FindField } from "../trajectory/find-field";
import { FileTree } from "./file-tree";
import { describeFound, FoundFiles, listFoundPlaces } from "./found-files";

/** Beside the open file: what is looked for in all files, and where it stands or else the tree of them. */
export function FilesAside({
  page: { at },
  search,
  list,
  found,
}: {
  page: TrialPage;
  search: TrialParams;
  list: FileList;
  /** Null while nothing is looked for. */
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
      <div className="row">
        <FindField
          label="Search in all files"
          noun="match"
          nextHref={(places[current + 1] ?? places[0])?.href ?? null}
          previousHref={(places.at(current < 0 ? -1 : current - 1) ?? places[0])?.href ?? null}
        />
      </div>
      {found === null ? (
        <FileTree
          entries={list.entries}
          cutNote={list.cutNote}
          base={openTrialHref(at, { tab: "files" })}
          open={search.file}
        />
      ) : (
        <FoundFiles found={found} places={places} />
      )}
    </section>
  );
}
