import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { isPlaceholder } from "@/lib/core/domain/bucket";
import { readCatalog } from "@/lib/read/catalog";
import { readTrialFile } from "@/lib/read/loader/detail";
import { jobFiles, makeFolder } from "@/lib/testing/folder.fixture";
import { planRuns } from "@/lib/testing/plan-runs";
import { Random } from "@/lib/testing/random";

import { type BucketServer, CREDENTIALS, startBucketServer } from "./bucket-server.fixture";
import { openMirror, readAll, useServer } from "./mirror.fixture";
import { probeBucket } from "./probe";

const TEXT = { form: "text", line: null, from: null, end: "start" } as const;
let server: BucketServer;

beforeAll(async () => {
  server = await startBucketServer("team");
  useServer(server.url);
});
afterAll(() => server.close());
beforeEach(() => {
  Object.assign(process.env, CREDENTIALS);
  server.setFault(() => null);
});

const listReads = () =>
  server.seen.filter(({ isListing, isRetry }) => !isListing && !isRetry).map(({ key }) => key);

describe("a bucket as a folder", () => {
  test("has the bytes of every object despite any network fault, and the figures of the original folder", async () => {
    const rewards = { alpha__aaaaaaa: 1, beta__bbbbbbb: 0, gamma__ccccccc: 1, delta__ddddddd: 0.5 };
    const jobs = makeFolder(jobFiles("run", rewards));
    await server.putFolder(jobs, "copied/");
    let nListings = 0;
    const cut = new Set<string>();
    server.setFault(({ isListing, isRetry, key, range }) => {
      if (isListing) return ++nListings % 2 === 0 && !isRetry ? { kind: "slow-down" } : null;
      if (!isRetry && key.endsWith("config.json")) return { kind: "slow-down" };
      if (range === null && key.endsWith("result.json")) {
        cut.add(key);
        return { kind: "cut", share: 0.5 };
      }
      return null;
    });
    const { mirror, place, last, issues } = await openMirror("s3://team/copied");
    await mirror.scan();
    await mirror.fill();
    expect(last()).toMatchObject({ problem: null, isComplete: true });
    expect(issues()).toEqual([]);
    expect(nListings).toBeGreaterThan(2);
    expect(cut.size).toBeGreaterThan(1);
    expect(readAll(place.files)).toEqual(readAll(jobs));
    const [copied, original] = [place.files, jobs].map((root) => readCatalog({ roots: [root] }).jobs);
    expect(copied?.map(({ report }) => report)).toEqual(original?.map(({ report }) => report));
    await mirror.close();
  });

  test("is asked only for what changed, and follows what was written again, added and deleted", async () => {
    for (const name of ["a", "b", "c"])
      await server.put(`changes/job/${name}__1234567/result.json`, `{"n": "${name}"}`);
    const { mirror, place, dataFolder } = await openMirror("s3://team/changes");
    await mirror.scan();
    await mirror.close();
    server.setFault(() => null);
    await server.put("changes/job/a__1234567/result.json", `{"n": "x"}`);
    await server.put("changes/job/d__1234567/result.json", `{"n": "d"}`);
    await server.remove("changes/job/b__1234567/result.json");
    const again = await openMirror("s3://team/changes", 1e9, dataFolder);
    await again.mirror.scan();
    expect(listReads().sort()).toEqual(["a", "d"].map((name) => `changes/job/${name}__1234567/result.json`));
    const texts = ["a", "b", "c", "d"].map((name) => {
      const file = join(place.files, `job/${name}__1234567/result.json`);
      return existsSync(file) ? readFileSync(file, "utf8") : null;
    });
    expect(texts).toEqual([`{"n": "x"}`, null, `{"n": "c"}`, `{"n": "d"}`]);
    expect(existsSync(join(place.files, "job/b__1234567"))).toBe(false);
    await again.mirror.close();
  });

  test("keeps no more than its limit, names missing files, and fetches them for readers", async () => {
    const log = (name: string) => `${name} `.repeat(1000);
    for (const name of ["a", "b", "c"]) {
      await server.put(`large/job/${name}__1234567/result.json`, "{}");
      await server.put(`large/job/${name}__1234567/agent/log.txt`, log(name));
    }
    const { mirror, place, issues } = await openMirror("s3://team/large", 5000);
    const trial = (name: string) => join(place.files, `job/${name}__1234567`);
    const read = async (name: string) => {
      const view = await readTrialFile(trial(name), "agent/log.txt", TEXT);
      return view.kind === "problem" ? view.issue.code : "read";
    };
    const readEach = () => Promise.all(["a", "b", "c"].map(read));
    await mirror.scan();
    await mirror.fill();
    expect(await readEach()).toEqual(Array(3).fill("object_not_fetched"));
    expect(statSync(join(trial("a"), "agent/log.txt")).size).toBe(2000);
    expect(issues()).toMatchObject([{ code: "object_not_fetched", path: "" }]);
    const stamp = statSync(join(trial("b"), "result.json")).ino;
    await mirror.bring("job/a__1234567");
    await mirror.bring("job/b__1234567");
    expect(await readEach()).toEqual(["read", "read", "object_not_fetched"]);
    // A reader that knows the trial by its result reads it again.
    expect(statSync(join(trial("b"), "result.json")).ino).not.toBe(stamp);
    await mirror.bring("job/c__1234567");
    expect(await readEach()).toEqual(["object_not_fetched", "read", "read"]);
    expect(readFileSync(join(trial("c"), "agent/log.txt"), "utf8")).toBe(log("c"));
    const nBytes = [...readAll(place.files)].map(([path, bytes]) =>
      isPlaceholder(join(place.files, path), statSync(join(place.files, path)).mode)
        ? 0
        : bytes.length * 0.75,
    );
    expect(nBytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(5000);
    await mirror.close();
  });

  test("lets no key out of its folder, and names those that are left out", async () => {
    await server.put("hostile/job/result.json", "{}");
    const evil = [
      "../../../out",
      "/etc/out",
      "a//out",
      "a/./out",
      "a\\..\\out",
      "a/../../../out",
      "x".repeat(300),
    ];
    const size = "9007199254740991";
    server.setFault(({ isListing }) =>
      isListing
        ? {
            kind: "rewrite",
            rewrite: (body) => {
              const entry = /<Contents>.*?<\/Contents>/su.exec(body)?.[0] ?? "";
              const keyed = (key: string) => entry.replace(/<Key>.*?<\/Key>/u, () => `<Key>${key}</Key>`);
              const added = [
                ...evil.map((key) => keyed(`hostile/${key}`)),
                keyed("elsewhere/out"),
                keyed("hostile/job"),
              ];
              const huge = keyed("hostile/huge/log.txt").replace(/<Size>\d+/u, `<Size>${size}`);
              return body.replace(entry, () => [entry, ...added, huge].join(""));
            },
          }
        : null,
    );
    const { mirror, place, dataFolder, issues } = await openMirror("s3://team/hostile");
    await mirror.scan();
    await mirror.fill();
    const here = readdirSync(dataFolder, { recursive: true }).map(String);
    expect(here.filter((path) => path.endsWith("out"))).toEqual([]);
    expect(readFileSync(join(place.files, "job/result.json"), "utf8")).toBe("{}");
    const refused = issues()?.filter(({ code }) => code === "object_refused") ?? [];
    expect(refused.length).toBeGreaterThanOrEqual(evil.length + 1);
    await mirror.close();
  });

  test("takes no byte more than was listed, and no other version", async () => {
    await server.put("grown/job/result.json", "{}");
    server.setFault(({ isListing }) =>
      isListing ? null : { kind: "rewrite", rewrite: (body) => `${body}, "more": 1` },
    );
    const { mirror, place, issues } = await openMirror("s3://team/grown");
    await mirror.scan();
    expect(issues()).toMatchObject([{ code: "object_not_fetched", path: "job/result.json" }]);
    expect(statSync(join(place.files, "job/result.json")).size).toBe(2);
    const view = await readTrialFile(place.files, "job/result.json", TEXT);
    expect(view).toMatchObject({ kind: "problem", issue: { code: "object_not_fetched" } });
    await mirror.close();
  });
});

test("after any network fault, local files equal the objects, and finally all are there", async () => {
  const files = new Map<string, string>();
  for (let n = 0; n < 4; n++) {
    files.set(`job/t${n}__1234567/result.json`, JSON.stringify({ n, text: "x".repeat(n * 500) }));
    files.set(`job/t${n}__1234567/agent/log.txt`, "line\n".repeat(n * 300));
  }
  for (const [path, body] of files) await server.put(`random/${path}`, body);
  const { numRuns, seed } = planRuns({ short: 1, long: 100 });
  for (let run = 0; run < numRuns; run++) {
    const random = new Random(`${seed} ${run}`);
    server.setFault(() => {
      const share = random.unit();
      if (share < 0.1) return { kind: "slow-down" };
      if (share < 0.15) return { kind: "refuse", status: 500, code: "InternalError" };
      return share < 0.4 ? { kind: "cut", share: random.unit() } : null;
    });
    const { mirror, place, last } = await openMirror("s3://team/random");
    for (let nScans = 0; nScans < 30; nScans++) {
      await mirror.scan();
      await mirror.fill();
      const here = [...readAll(place.files)].filter(
        ([path]) => (statSync(join(place.files, path)).mode & 0o200) !== 0,
      );
      for (const [path, bytes] of here) expect(Buffer.from(bytes, "base64").toString()).toBe(files.get(path));
      if (last()?.problem === null && here.length === files.size) break;
    }
    expect(readAll(place.files).size).toBe(files.size);
    expect(last()).toMatchObject({ problem: null, isComplete: true });
    await mirror.close();
  }
});

describe("a bucket that cannot be had", () => {
  const KINDS = [
    [
      "denied",
      "bucket_denied",
      () => server.setFault(() => ({ kind: "refuse", status: 403, code: "AccessDenied" })),
    ],
    [
      "without credentials",
      "bucket_denied",
      () => {
        delete process.env["AWS_ACCESS_KEY_ID"];
        delete process.env["AWS_SECRET_ACCESS_KEY"];
      },
    ],
    ["busy", "bucket_unreachable", () => server.setFault(() => ({ kind: "slow-down" }))],
    ["cut off", "bucket_unreachable", () => server.setFault(() => ({ kind: "cut", share: 0 }))],
    [
      "gone",
      "bucket_unreachable",
      () => server.setFault(() => ({ kind: "refuse", status: 404, code: "NoSuchBucket" })),
    ],
  ] as const;

  test.each(KINDS)("%s keeps what was fetched, and says so without any secret", async (_, code, spoil) => {
    await server.put("kept/job/result.json", "{}");
    const before = await openMirror("s3://team/kept");
    await before.mirror.scan();
    await before.mirror.close();
    process.env["AWS_SECRET_ACCESS_KEY"] = "sEcReT/value";
    spoil();
    const { mirror, place, last, issues } = await openMirror("s3://team/kept", 1e9, before.dataFolder);
    await mirror.scan();
    expect(issues()).toMatchObject([{ code, path: "" }]);
    expect(last()?.problem).toBe(issues()?.[0]?.detail);
    expect(readFileSync(place.state, "utf8")).not.toContain("sEcReT");
    expect(readFileSync(join(place.files, "job/result.json"), "utf8")).toBe("{}");
    await mirror.close();
  });

  test("one object of it does not hold up the others", async () => {
    for (const name of ["a", "b", "c"]) await server.put(`parts/job/${name}__1234567/result.json`, "{}");
    server.setFault(({ key }) =>
      key.includes("a__")
        ? { kind: "refuse", status: 403, code: "AccessDenied" }
        : key.includes("b__")
          ? { kind: "refuse", status: 404, code: "NoSuchKey" }
          : null,
    );
    const { mirror, place, issues, last } = await openMirror("s3://team/parts");
    await mirror.scan();
    expect(last()).toMatchObject({ isComplete: true, problem: null });
    expect(
      issues()
        ?.map(({ path }) => path)
        .sort(),
    ).toEqual(["a", "b"].map((name) => `job/${name}__1234567/result.json`));
    expect(readFileSync(join(place.files, "job/c__1234567/result.json"), "utf8")).toBe("{}");
    await mirror.close();
  });

  test("in the middle of a listing continues there", async () => {
    for (let n = 10; n < 30; n++) await server.put(`long/job/t${n}__1234567/result.json`, "{}");
    let nListings = 0;
    server.setFault(({ isListing }) => (isListing && ++nListings > 1 ? { kind: "slow-down" } : null));
    const first = await openMirror("s3://team/long");
    await first.mirror.scan();
    expect(first.last()).toMatchObject({ isComplete: false });
    await first.mirror.close();
    server.setFault(() => null);
    const { mirror, place, last } = await openMirror("s3://team/long", 1e9, first.dataFolder);
    await mirror.scan();
    expect(last()).toMatchObject({ isComplete: true, nListed: 20 });
    expect(readdirSync(join(place.files, "job"))).toHaveLength(20);
    await mirror.close();
  });
});

test("a probe says whether a bucket can be opened, and with whose credentials", async () => {
  await server.put("probed/job/result.json", "{}");
  expect(await probeBucket("s3://team/probed", process.env)).toMatchObject({ ok: true });
  expect(await probeBucket("s3://team/nothing", process.env)).toMatchObject({ ok: false });
  expect(await probeBucket("s3://nobody/probed", process.env)).toMatchObject({ ok: false });
  process.env["AWS_ACCESS_KEY_ID"] = "AKIAUNKNOWN";
  const denied = await probeBucket("s3://team/probed", process.env);
  expect(denied).toMatchObject({ ok: false });
  expect(JSON.stringify(denied)).toContain("AWS_ACCESS_KEY_ID");
  expect(JSON.stringify(denied)).not.toContain("AKIAUNKNOWN");
});

test("only a read-only file of a mirror is a placeholder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "own-"));
  writeFileSync(join(folder, "log.txt"), "mine");
  chmodSync(join(folder, "log.txt"), 0o400);
  expect(await readTrialFile(folder, "log.txt", TEXT)).toMatchObject({ kind: "file" });
});
