import { listPageKinds, type PageKind } from "./addresses.ts";
import { type AssayServer, startAssay } from "./assay.ts";
import type { DataSet } from "./data-set.ts";
import { readText, requestPage, runSeries, type Series, SERIES_SECONDS } from "./load.ts";
import { prepareIndexes } from "./measure-index.ts";
import type { PartResult, Table } from "./report.ts";
import { computeLatency, computeSpread, formatFigure, formatMegabytes, formatSpread } from "./samples.ts";

const CONNECTIONS = [1, 10] as const;
const ADDRESSES = ["distinct", "repeated"] as const;
/** Addresses that are asked for before anything is timed, so that code is compiled and files are open. */
const WARM_UP = 3;
const AT_TEN = 3;

interface Course {
  readonly set: DataSet;
  readonly server: AssayServer;
  readonly kind: PageKind;
  /** Next address that this server has not seen. */
  fresh: number;
  readonly series: {
    readonly addresses: (typeof ADDRESSES)[number];
    readonly connections: number;
    readonly times: Series;
  }[];
}

/** Waiting times of every kind of page, over all sizes in turns, and what the servers took of memory. */
export async function measurePages(
  sets: readonly DataSet[],
  runs: number,
  requests: number,
): Promise<PartResult> {
  const failures = (await prepareIndexes(sets)).map((reason) => `index of ${reason}`);
  const courses: Course[] = [];
  const servers: { readonly set: DataSet; readonly server: AssayServer }[] = [];
  try {
    for (const set of sets) {
      try {
        const server = await startAssay(set);
        servers.push({ set, server });
        courses.push(...(await openCourses(set, server, failures)));
      } catch (error) {
        failures.push(`${set.label}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    for (let run = 0; run < runs; run += 1) {
      for (const [place, course] of rotate(courses, run).entries()) {
        process.stderr.write(
          `pages: run ${run + 1} of ${runs}, ${place + 1} of ${courses.length}, ${course.kind.name}\n`,
        );
        await runCourse(course, requests);
      }
    }
    const memory = servers.map(({ set, server }) => ({
      set: set.label,
      bytes: server.child.readPeakBytes(),
    }));
    for (const { set, kind, series } of courses) failures.push(...listFailures(set, kind, series));
    return {
      tables: [
        latencyTable(courses, "distinct"),
        latencyTable(courses, "repeated"),
        ...growthTables(courses, sets),
        memoryTable(memory),
      ],
      raw: {
        memory,
        pages: courses.map(({ set, kind, series }) => ({ set: set.label, page: kind.name, series })),
      },
      failures,
    };
  } finally {
    for (const { server } of servers) await server.child.stop();
  }
}

/** Another order every run: by page first, so that the sizes of one page follow each other. */
function rotate(courses: readonly Course[], run: number): Course[] {
  const names = [...new Set(courses.map(({ kind }) => kind.name))];
  const turned = [...names.slice(run % names.length), ...names.slice(0, run % names.length)];
  return turned.flatMap((name) => {
    const same = courses.filter(({ kind }) => kind.name === name);
    return run % 2 === 0 ? same : same.reverse();
  });
}

async function openCourses(set: DataSet, server: AssayServer, failures: string[]): Promise<Course[]> {
  const courses: Course[] = [];
  for (const kind of listPageKinds(set)) {
    const answer = await requestPage(new URL(kind.plain, server.url));
    if (answer.status === 404 && kind.name === "trials list") continue;
    if (answer.status !== 200 || readText(answer).length === 0) {
      failures.push(`${set.label}, ${kind.name}: status ${answer.status}`);
      continue;
    }
    const course: Course = { set, server, kind, fresh: 0, series: [] };
    await runSeries(server.url, takeFresh(course, WARM_UP), 1);
    courses.push(course);
  }
  return courses;
}

function takeFresh(course: Course, count: number): string[] {
  const paths = Array.from({ length: count }, (_, place) => course.kind.distinct(course.fresh + place));
  course.fresh += count;
  return paths;
}

async function runCourse(course: Course, requests: number): Promise<void> {
  for (const addresses of ADDRESSES) {
    for (const connections of CONNECTIONS) {
      const count = connections === 1 ? requests : requests * AT_TEN;
      const paths =
        addresses === "distinct"
          ? takeFresh(course, count)
          : Array.from({ length: count }, () => course.kind.plain);
      const times = await runSeries(course.server.url, paths, connections);
      course.series.push({ addresses, connections, times });
    }
  }
}

function listFailures(set: DataSet, kind: PageKind, series: Course["series"]): string[] {
  const all = series.flatMap(({ times }) => times.failures);
  return all.length === 0
    ? []
    : [`${set.label}, ${kind.name}: ${all.length} requests, such as ${all[0] ?? ""}`];
}

function latencyTable(courses: readonly Course[], addresses: (typeof ADDRESSES)[number]): Table {
  const rows = courses.map(({ kind, set, series }) => {
    const at = (connections: number): Series[] =>
      series
        .filter((one) => one.addresses === addresses && one.connections === connections)
        .map(({ times }) => times)
        .filter(({ totalMs }) => totalMs.length > 0);
    return [kind.name, set.label, ...formatTimes(at(1)), ...formatTimes(at(10)), formatRate(at(10))];
  });
  return {
    title: addresses === "distinct" ? "Pages, every address asked for once" : "Pages, one address repeated",
    notes: [
      "Milliseconds at 1 and at 10 kept connections, median of the runs' percentiles, with their range for the 95th. " +
        "TTFB: to the first byte, which may be of a frame that is filled later. Total: to the last byte of the page, compressed. " +
        `A series that takes longer than ${SERIES_SECONDS} s ends with fewer requests.`,
    ],
    columns: [
      "page",
      "trials",
      "1: TTFB p50/p95/p99",
      "1: total p50/p99",
      "1: total p95",
      "10: TTFB p50/p95/p99",
      "10: total p50/p99",
      "10: total p95",
      "pages/s at 10",
    ],
    rows: rows.toSorted((a, b) => (a[0] ?? "").localeCompare(b[0] ?? "")),
  };
}

function formatTimes(series: readonly Series[]): string[] {
  const middle = (values: readonly number[]): string => {
    const spread = computeSpread(values);
    return spread === null ? "—" : formatFigure(spread.median);
  };
  const first = series.flatMap(({ firstByteMs }) => computeLatency(firstByteMs) ?? []);
  const total = series.flatMap(({ totalMs }) => computeLatency(totalMs) ?? []);
  return [
    [first.map(({ p50 }) => p50), first.map(({ p95 }) => p95), first.map(({ p99 }) => p99)]
      .map(middle)
      .join(" / "),
    [total.map(({ p50 }) => p50), total.map(({ p99 }) => p99)].map(middle).join(" / "),
    formatSpread(computeSpread(total.map(({ p95 }) => p95))),
  ];
}

function formatRate(series: readonly Series[]): string {
  return formatSpread(computeSpread(series.map(({ totalMs, seconds }) => totalMs.length / seconds)));
}

function memoryTable(memory: readonly { readonly set: string; readonly bytes: number | null }[]): Table {
  return {
    title: "Memory of the server after all pages",
    notes: ["Highest resident memory of the process since its start."],
    columns: ["trials", "MB"],
    rows: memory.map(({ set, bytes }) => [set, bytes === null ? "—" : formatMegabytes(bytes)]),
  };
}

/** How much longer the 95th percentile of the largest folder is than that of the smallest; no table for one size. */
function growthTables(courses: readonly Course[], sets: readonly DataSet[]): Table[] {
  const bySize = sets.toSorted((a, b) => a.trials - b.trials);
  const [smallest, largest] = [bySize[0], bySize.at(-1)];
  if (smallest === undefined || largest === undefined || smallest === largest) return [];
  const readP95 = (name: string, set: DataSet, addresses: string): number | null => {
    const course = courses.find((one) => one.kind.name === name && one.set === set);
    const series = course?.series.filter((one) => one.connections === 1 && one.addresses === addresses);
    const values = series?.flatMap(({ times }) => computeLatency(times.totalMs)?.p95 ?? []);
    return computeSpread(values ?? [])?.median ?? null;
  };
  const rows = [...new Set(courses.map(({ kind }) => kind.name))].map((name) => [
    name,
    ...ADDRESSES.map((addresses) => {
      const [from, to] = [readP95(name, smallest, addresses), readP95(name, largest, addresses)];
      return from === null || to === null ? "—" : formatFigure(to / from);
    }),
  ]);
  return [
    {
      title: `Growth from ${smallest.label} to ${largest.label} trials`,
      notes: ["Total p95 at one connection, largest folder over smallest."],
      columns: ["page", ...ADDRESSES.map((addresses) => `${addresses}, times`)],
      rows,
    },
  ];
}
