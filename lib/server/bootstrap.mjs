// Plain JavaScript without dependencies: it runs on the machine's own Node, before anything is installed.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

import { handOver } from "./hand-over.mjs";
import { formatElapsed, showProgress } from "./progress.mjs";

const OLDEST_NODE = 20;
const root = fileURLToPath(new URL("../..", import.meta.url));
const installStamp = `${root}/node_modules/.assay-install`;

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function readJson(path) {
  return JSON.parse(readFileSync(`${root}/${path}`, "utf8"));
}

/** One package per system, all of one version. Like every package, the runtime has its integrity in the lock. */
const RUNTIME = /^node-(?:bin-)?(?:darwin|linux|win)-/;

function readRuntimes() {
  return Object.entries(readJson("package.json").optionalDependencies).filter(([name]) => RUNTIME.test(name));
}

function computeInstallFingerprint() {
  const hash = createHash("sha256");
  for (const name of ["package.json", "package-lock.json", ".npmrc"]) {
    if (!existsSync(`${root}/${name}`)) continue;
    const text = readFileSync(`${root}/${name}`, "utf8");
    hash.update(name === "package.json" ? readDeclaredDependencies(text) : text);
  }
  return hash.update(`${process.platform} ${process.arch}`).digest("hex");
}

/** Excludes scripts: a change to one needs no new install. */
function readDeclaredDependencies(packageJson) {
  const { dependencies, optionalDependencies, devDependencies, overrides } = JSON.parse(packageJson);
  return JSON.stringify({ dependencies, optionalDependencies, devDependencies, overrides });
}

function isInstalled(fingerprint) {
  return existsSync(installStamp) && readFileSync(installStamp, "utf8") === fingerprint;
}

function getNpmCommand() {
  const npmPath = process.env.npm_execpath;
  if (npmPath !== undefined && /npm-cli\.c?js$/.test(npmPath)) return [process.execPath, npmPath];
  return ["npm"];
}

async function installPackages(fingerprint) {
  // An aborted install must not look finished, nor must a copy of this folder that shares its files.
  rmSync(installStamp, { force: true });
  const progress = showProgress("Installing packages with npm, a minute or two the first time");
  // A package's script could fetch code that the lock does not pin.
  const [command, ...prefix] = getNpmCommand();
  const args = [...prefix, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--include=dev"];
  const child = spawn(command, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32" && command === "npm",
    env: { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve) => {
    child.on("error", (error) => {
      output += `${error.message}\n`;
      resolve(1);
    });
    child.on("close", resolve);
  });
  progress.stop();
  if (code !== 0) fail(`${output}\nnpm ci failed (exit code ${code}); see its output above.`);
  tellUnlocked();
  writeFileSync(installStamp, fingerprint);
  process.stderr.write(`Installed packages in ${formatElapsed(progress.elapsedMs())}\n`);
}

/** The lock has an integrity for every Linux package, but not for every package of other systems. */
function tellUnlocked() {
  const { packages: locked } = readJson("package-lock.json");
  const unlocked = Object.entries(readJson("node_modules/.package-lock.json").packages)
    .filter(([path, { integrity }]) => integrity === undefined || locked[path]?.integrity !== integrity)
    .map(([path]) => path.replace(/^.*node_modules\//, ""));
  if (unlocked.length === 0) return;
  process.stderr.write(
    `package-lock.json has no checksums of some packages of this system, so that npm alone vouches for them: ${unlocked.join(", ")}.\n`,
  );
}

function findPinnedNode() {
  const file = process.platform === "win32" ? "node.exe" : "node";
  return readRuntimes()
    .map(([name]) => `${root}/node_modules/${name}/bin/${file}`)
    .find((path) => existsSync(path));
}

/** npm's shell does not pass a signal on when it dies. */
function stopWithParent() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === "win32") return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
  }, 500).unref();
}

export async function bootstrap(entryName) {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < OLDEST_NODE) {
    fail(`Assay needs Node ${OLDEST_NODE} or newer to install its own Node; this is ${process.version}.`);
  }
  stopWithParent();
  const [[, pinned]] = readRuntimes();
  const fingerprint = computeInstallFingerprint();
  if (!isInstalled(fingerprint)) await installPackages(fingerprint);
  const entry = fileURLToPath(new URL(entryName, import.meta.url));
  const pinnedNode = findPinnedNode();
  // The install may have deleted the running program.
  const isPinned = process.versions.node === pinned && existsSync(process.execPath);
  if (isPinned || (pinnedNode === undefined && major >= Number(pinned.split(".")[0]))) {
    await import(pathToFileURL(entry).href);
  } else if (pinnedNode === undefined) {
    fail(
      `Assay runs on Node ${pinned}, which npm installs where there is a package of it for the system; here there is none ` +
        `(${process.platform} ${process.arch}), and this is ${process.version}.\n` +
        `Use Node ${pinned.split(".")[0]} or newer, and start again.`,
    );
  } else {
    handOver(pinnedNode, entry);
  }
}
