import { type AssayServer, runIndex, startAssay } from "./assay.ts";
import { type DataSet, listTrials, prepareDataSet } from "./data-set.ts";
import { installHarbor } from "./harbor-install.ts";
import {
  type HarborLoad,
  type HarborServer,
  listHarborPages,
  loadHarborPage,
  startHarbor,
} from "./harbor-server.ts";
import { requestPage } from "./load.ts";
import type { PartResult } from "./report.ts";
import { computeSpread, formatFigure, formatSpread } from "./samples.ts";

const REQUIREMENTS = ["harbor==0.13.1", "harbor"] as const;
const PAGES = ["jobs list", "job", "trial"] as const;
/** Loads of Assay's page before each load of Harbor's. */
const OWN_LOADS = 10;
/** A page that took this long is not asked for again. */
const PATIENCE_MS = 90_000;
const TIMEOUT_MS = 1_200_000;

interface Duel {
  readonly set: DataSet;
  readonly version: string;
  readonly page: (typeof PAGES)[number];
  readonly assayMs: number[];
  readonly harbor: HarborLoad[];
}

/** `harbor view` and Assay over the same folders, page by page in turns. */
export async function measureHarbor(runs: number): Promise<PartResult> {
  const failures: string[] = [];
  const duels: Duel[] = [];
  const attempt = async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const sets = [
    await prepareDataSet(1_000),
    await prepareDataSet(10_000),
    await prepareDataSet(10_000, true),
  ];
  for (const requirement of REQUIREMENTS) {
    await attempt(requirement, async () => {
      const harbor = await installHarbor(requirement);
      for (const set of sets) {
        await attempt(`${harbor.version}, ${set.label}`, async () => {
          await runIndex(set).catch(() => null);
          const assay = await startAssay(set);
          let server: HarborServer | null = null;
          try {
            server = await startHarbor(harbor, set);
            await runDuels({ assay, server, set, version: harbor.version, runs, duels });
          } finally {
            await server?.child.stop();
            await assay.child.stop();
          }
        });
      }
    });
  }
  return {
    tables: [
      {
        title: "Against harbor view",
        notes: [
          "Milliseconds over the same folder in the same run, in turns. Assay: one request, the whole page rendered as HTML. " +
            "Harbor: every request its page makes to show the same thing, six at a time as browsers do, JSON only; its scripts " +
            "and drawing come on top and are not counted, nor are sign-in and prices. Content: until the trial itself is there; " +
            "all: until the list behind the arrows to the next trial is there too. Times: Harbor's over Assay's.",
        ],
        columns: [
          "harbor",
          "trials",
          "page",
          "Assay, ms",
          "loads",
          "Harbor content, ms",
          "Harbor all, ms",
          "loads",
          "times, content",
          "times, all",
        ],
        rows: duels.map(formatDuel),
      },
    ],
    raw: duels.map(({ set, ...duel }) => ({ set: set.label, ...duel })),
    failures,
  };
}

interface Arena {
  readonly assay: AssayServer;
  readonly server: HarborServer;
  readonly set: DataSet;
  readonly version: string;
  readonly runs: number;
  readonly duels: Duel[];
}

async function runDuels({ assay, server, set, version, runs, duels }: Arena): Promise<void> {
  const own = PAGES.map((page): Duel => ({ set, version, page, assayMs: [], harbor: [] }));
  duels.push(...own);
  const [job = ""] = set.jobs;
  const trials = listTrials(set, job);
  let asked = 0;
  const nextTrial = (): string => trials[(asked++ * 7) % trials.length] ?? "";
  const pathOf = (page: Duel["page"]): string =>
    page === "jobs list" ? "/" : page === "job" ? `/jobs/${job}` : `/jobs/${job}/trials/${nextTrial()}`;
  // Code is loaded on both sides before anything is timed; the jobs list is the one page that Harbor answers quickly.
  for (const page of PAGES) await requestPage(new URL(pathOf(page), assay.url));
  const warm = listHarborPages(server, job, nextTrial(), trials.length);
  await loadHarborPage(server.url, warm["jobs list"], TIMEOUT_MS);
  for (let run = 0; run < runs; run += 1) {
    for (const duel of own) {
      if ((duel.harbor.at(-1)?.allMs ?? 0) > PATIENCE_MS) continue;
      process.stderr.write(`harbor ${version}: ${set.label}, ${duel.page}, run ${run + 1} of ${runs}\n`);
      for (let load = 0; load < OWN_LOADS; load += 1) {
        const { status, totalMs } = await requestPage(new URL(pathOf(duel.page), assay.url));
        if (status !== 200) throw new Error(`Assay's ${duel.page} answered ${status}`);
        duel.assayMs.push(totalMs);
      }
      const pages = listHarborPages(server, job, nextTrial(), trials.length);
      duel.harbor.push(await loadHarborPage(server.url, pages[duel.page], TIMEOUT_MS));
    }
  }
}

function formatDuel({ version, set, page, assayMs, harbor }: Duel): string[] {
  const own = computeSpread(assayMs);
  const content = computeSpread(harbor.map(({ contentMs }) => contentMs));
  const all = computeSpread(harbor.map(({ allMs }) => allMs));
  const times = (theirs: typeof own): string =>
    own === null || theirs === null ? "—" : formatFigure(theirs.median / own.median);
  return [
    version,
    set.label,
    page,
    formatSpread(own),
    String(assayMs.length),
    formatSpread(content),
    formatSpread(all),
    String(harbor.length),
    times(content),
    times(all),
  ];
}
