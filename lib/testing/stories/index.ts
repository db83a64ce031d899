import { buildCythonExt } from "./build-cython-ext";
import { cronDriftRepair } from "./cron-drift-repair";
import { csvDialectRecover } from "./csv-dialect-recover";
import { debugRaceQueue } from "./debug-race-queue";
import { dedupeGitHistory } from "./dedupe-git-history";
import { fixLocaleSort } from "./fix-locale-sort";
import { hmacLogAudit } from "./hmac-log-audit";
import { jitGuardBisect } from "./jit-guard-bisect";
import { ldapSchemaMerge } from "./ldap-schema-merge";
import { mailboxReindex } from "./mailbox-reindex";
import { nginxRangeProxy } from "./nginx-range-proxy";
import { parquetNullRepair } from "./parquet-null-repair";
import { portMakefileMeson } from "./port-makefile-meson";
import { postgresVacuumStall } from "./postgres-vacuum-stall";
import { qemuSerialBoot } from "./qemu-serial-boot";
import { regexToDfa } from "./regex-to-dfa";
import { sqliteWalRestore } from "./sqlite-wal-restore";
import { straceLeakHunt } from "./strace-leak-hunt";
import { tarSparseExtract } from "./tar-sparse-extract";
import { tlsChainRotate } from "./tls-chain-rotate";
import { tokenizerParity } from "./tokenizer-parity";
import { udpReorderSim } from "./udp-reorder-sim";
import { wasmMemoryCap } from "./wasm-memory-cap";
import { zstdDictTrain } from "./zstd-dict-train";
import type { Story } from "./story";

/** The stories of the 24 terminal-mix tasks, by name, as the dataset lists them. */
export const STORIES: readonly Story[] = [
  buildCythonExt,
  cronDriftRepair,
  csvDialectRecover,
  debugRaceQueue,
  dedupeGitHistory,
  fixLocaleSort,
  hmacLogAudit,
  jitGuardBisect,
  ldapSchemaMerge,
  mailboxReindex,
  nginxRangeProxy,
  parquetNullRepair,
  portMakefileMeson,
  postgresVacuumStall,
  qemuSerialBoot,
  regexToDfa,
  sqliteWalRestore,
  straceLeakHunt,
  tarSparseExtract,
  tlsChainRotate,
  tokenizerParity,
  udpReorderSim,
  wasmMemoryCap,
  zstdDictTrain,
];
