import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

import fc from "fast-check";

import { arbitraryMutation } from "./mutations.fixture";
import type { Random } from "./random";

/** One thing that went wrong below a folder. */
export interface Corruption {
  /** Kind and place, to distinguish it from others. */
  readonly what: string;
  /** Paths below the folder that are not as they were. */
  readonly touched: readonly string[];
}

/** Bytes of a file; an empty one for what is none. */
type Change = (bytes: Buffer, random: Random, others: readonly string[], folder: string) => Buffer;

const cut = (bytes: Buffer, random: Random) =>
  bytes.subarray(0, random.int(0, Math.max(0, bytes.length - 1)));

const CONTENTS: Readonly<Record<string, Change>> = {
  "a bit": (bytes, random) => {
    const changed = Buffer.from(bytes);
    const at = random.int(0, Math.max(0, bytes.length - 1));
    if (bytes.length > 0) changed.writeUInt8(changed.readUInt8(at) ^ (1 << random.int(0, 7)), at);
    return changed;
  },
  "a digit": (bytes, random) => changeDigit(bytes.toString("latin1"), random),
  cut,
  emptied: () => Buffer.alloc(0),
  zeros: (bytes) => Buffer.alloc(bytes.length),
  "its end lost": (bytes, random) => Buffer.concat([cut(bytes, random), Buffer.alloc(512)]),
  "another file": (_, random, others, folder) => readFileSync(join(folder, pick(random, others))),
  "a field": (bytes, random) => editField(bytes, random, "change"),
  "a field removed": (bytes, random) => editField(bytes, random, "remove"),
  mutated: (bytes, random) =>
    fc.sample(arbitraryMutation([bytes.toString("utf8").slice(0, 200_000)]), {
      numRuns: 1,
      seed: random.word() | 0,
    })[0]?.bytes ?? bytes,
};

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  1,
  -1,
  0.5,
  1e308,
  "",
  "x",
  "0.5",
  [],
  {},
  [[1]],
  { reward: 1 },
];

function changeDigit(text: string, random: Random): Buffer {
  const places = Array.from(text.matchAll(/\d/gu), ({ index }) => index);
  if (places.length === 0) return Buffer.from(text, "latin1");
  const at = pick(random, places);
  const digit = String((Number(text[at]) + random.int(1, 9)) % 10);
  return Buffer.from(text.slice(0, at) + digit + text.slice(at + 1), "latin1");
}

/** Changes one value of a JSON document, at any depth; of anything else a digit. */
function editField(bytes: Buffer, random: Random, way: "change" | "remove"): Buffer {
  let root: unknown;
  try {
    root = JSON.parse(bytes.toString("utf8"));
  } catch {
    return changeDigit(bytes.toString("latin1"), random);
  }
  let holder = root;
  for (;;) {
    if (typeof holder !== "object" || holder === null) return changeDigit(bytes.toString("latin1"), random);
    const keys = Object.keys(holder);
    if (keys.length === 0) return Buffer.from("null");
    const key = pick(random, keys);
    const inner: unknown = Reflect.get(holder, key);
    const isDeeper = typeof inner === "object" && inner !== null && Object.keys(inner).length > 0;
    if (isDeeper && random.unit() < 0.8) {
      holder = inner;
      continue;
    }
    if (way === "remove") Reflect.deleteProperty(holder, key);
    else Reflect.set(holder, key, pick(random, ODD_VALUES));
    return Buffer.from(JSON.stringify(root));
  }
}

type Move = (folder: string, path: string, random: Random, others: readonly string[]) => readonly string[];

/** Damages a whole file or folder. Returns everything that it made besides the path itself. */
const MOVES: Readonly<Record<string, Move>> = {
  removed: (folder, path) => (rmSync(join(folder, path), { recursive: true }), []),
  renamed: (folder, path, random) => {
    const name = `${path}${pick(random, ["~", ".bak", "__aaaaaaa", " (1)", "x"])}`;
    renameSync(join(folder, path), join(folder, name));
    return [name];
  },
  "moved up": (folder, path) => {
    const name = join(dirname(dirname(path)), basename(path));
    if (existsSync(join(folder, name))) return [];
    renameSync(join(folder, path), join(folder, name));
    return [name];
  },
  "there twice": (folder, path) => {
    cpSync(join(folder, path), join(folder, `${path}-copy`), { recursive: true });
    return [`${path}-copy`];
  },
  "of the other kind": (folder, path) => {
    const isFolder = lstatSync(join(folder, path)).isDirectory();
    rmSync(join(folder, path), { recursive: true });
    if (isFolder) writeFileSync(join(folder, path), "");
    else mkdirSync(join(folder, path));
    return [];
  },
  "a link": (folder, path, random, others) => {
    const target = pick(random, [
      "/etc/passwd",
      "/",
      "gone",
      basename(path),
      "..",
      join(folder, pick(random, others)),
    ]);
    rmSync(join(folder, path), { recursive: true });
    symlinkSync(target, join(folder, path));
    return [];
  },
  locked: (folder, path) => (chmodSync(join(folder, path), 0), []),
  "in another's place": (folder, path, random, others) => {
    const other = pick(random, others);
    if (other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) return [];
    const spare = join(folder, "swapped-for-a-moment");
    renameSync(join(folder, path), spare);
    renameSync(join(folder, other), join(folder, path));
    renameSync(spare, join(folder, other));
    return [other];
  },
};

function pick<T>(random: Random, list: readonly T[]): T {
  const one = list[random.int(0, list.length - 1)];
  if (one === undefined) throw new Error("there is nothing to choose from");
  return one;
}

/** Files and folders below a folder, relative to it. */
export function listAll(folder: string): {
  readonly files: readonly string[];
  readonly folders: readonly string[];
} {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const list = (isWanted: (entry: (typeof entries)[number]) => boolean) =>
    entries
      .filter(isWanted)
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .toSorted();
  return { files: list((entry) => entry.isFile()), folders: list((entry) => entry.isDirectory()) };
}

/** Files behind the figures: three of four corruptions are in these. */
const TELLING = /(?:^|\/)(?:result|lock|config|reward)\.(?:json|txt)$/u;

/** Lets one thing go wrong below a folder, the same for the same stream of numbers. */
export function corrupt(
  folder: string,
  { files, folders }: ReturnType<typeof listAll>,
  random: Random,
): Corruption {
  const telling = files.filter((path) => TELLING.test(path));
  const file = pick(random, telling.length > 0 && random.unit() < 0.75 ? telling : files);
  if (random.unit() < 0.6) {
    const way = pick(random, Object.keys(CONTENTS));
    const before = readFileSync(join(folder, file));
    writeFileSync(join(folder, file), CONTENTS[way]?.(before, random, files, folder) ?? before);
    return { what: `${way}: ${file}`, touched: [file] };
  }
  const path = random.unit() < 0.5 ? file : pick(random, folders);
  const others = path === file ? files : folders;
  const way = pick(random, Object.keys(MOVES));
  const made = MOVES[way]?.(folder, path, random, others) ?? [];
  return { what: `${way}: ${path} ${made.join(" ")}`, touched: [path, ...made] };
}

/** Puts everything that a corruption touched back from the folder that it was copied from. */
export function repair(folder: string, intact: string, { touched }: Corruption): void {
  for (const path of touched) {
    if (existsSync(join(folder, path))) chmodSync(join(folder, path), 0o755);
    rmSync(join(folder, path), { recursive: true, force: true });
  }
  for (const path of touched)
    if (existsSync(join(intact, path))) cpSync(join(intact, path), join(folder, path), { recursive: true });
}
