import type { ComparedGroups } from "@/lib/core/comparison";
import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import { prepareReport, type Report, type ReportInput, type ReportJob } from "@/lib/output/report";
import { hashJobs } from "@/lib/read/loader";

import { readVersion } from "./version";

export function makeReport(
  snapshot: CatalogSnapshot,
  compared: ComparedGroups,
  inputs: Pick<ReportInput, "summation" | "rules" | "command">,
): Report {
  const jobs = hashCompared(snapshot, compared);
  return prepareReport({ compared, jobs, version: readVersion(), ...inputs });
}

export async function drawReport(report: Report): Promise<string> {
  // Loaded here: no other command renders.
  const [{ renderToStaticMarkup }, { writeReport }] = await Promise.all([
    import("react-dom/server"),
    import("@/components/report/write-report"),
  ]);
  return writeReport(report, renderToStaticMarkup);
}

function hashCompared({ jobs, roots }: CatalogSnapshot, { groups }: ComparedGroups): readonly ReportJob[] {
  const keys = new Set(groups.flatMap(({ runs }) => runs.map(({ job }) => job.key)));
  const byRoot = Map.groupBy(
    jobs.filter(({ job }) => keys.has(job.key)).map(({ job }) => job),
    ({ root }) => root,
  );
  const hashed = [...byRoot].flatMap(([root, own]) => {
    const found = hashJobs(
      roots[root]?.path ?? "",
      own.map(({ folder }) => folder),
    );
    return own.flatMap(({ key, name, uuid, folder }) => {
      const job = found.find((one) => one.folder === folder && one.uuid === uuid);
      return job === undefined ? [] : [{ key, name, uuid, files: job.files, sha256: job.sha256 }];
    });
  });
  // In the order of the comparison, independent of other open jobs.
  const byKey = new Map(hashed.map((job) => [job.key, job]));
  return [...keys].flatMap((key) => byKey.get(key) ?? []);
}
