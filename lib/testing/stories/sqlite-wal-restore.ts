import { sh, write } from "./story";
import type { Story } from "./story";

/** The story of `sqlite-wal-restore`. */
export const sqliteWalRestore: Story = {
  task: "sqlite-wal-restore",
  workdir: "/var/lib/till",
  minutes: 6.3,
  kiloTokens: 39,
  prompt: `The till's disk filled up during a checkpoint. /var/lib/till has sales.db, sales.db-wal and an older copy, sales.db.bak. Opening sales.db shows 18,204 receipts; the paper roll says 18,377.

Recover the committed receipts from the WAL into /var/lib/till/restored.db. Every receipt whose transaction was committed must be there, none of a transaction that was not. The three files must stay as they are, byte for byte.`,
  explore: [
    sh(
      "cd /var/lib/till && sha256sum sales.db* | tee /tmp/before.sha && ls -l sales.db* | awk '{print $5, $9}'",
      "9f1c02be  sales.db\n41d7a6f0  sales.db-wal\nc80e5512  sales.db.bak\n7405568 sales.db\n4231272 sales.db-wal\n7127040 sales.db.bak",
      "Hashes first: opening the database would checkpoint and change it.",
      "sqlite3 on the original would run recovery and truncate the WAL. Only work on copies.",
    ),
    sh(
      "mkdir -p /tmp/w && cp /var/lib/till/sales.db* /tmp/w/ && xxd -l 32 /tmp/w/sales.db-wal",
      "00000000: 377f 0682 002d e218 0000 1000 0000 0003  7....-..........\n00000010: 5bd3 11a0 94c7 0e2f 8a11 20c4 01b7 9e55  [....../.. ....U",
      "The WAL header: page size 4096, big-endian checksums, checkpoint sequence 3.",
    ),
    sh(
      "cd /tmp/w && sqlite3 sales.db 'select count(*), max(id) from receipt'",
      "18204|18204",
      "",
      "SQLite stops at the first frame with a bad checksum. Which frame is it?",
    ),
    sh(
      "cd /tmp/w && sqlite3 sales.db .schema | head -4",
      "CREATE TABLE receipt(id INTEGER PRIMARY KEY, at TEXT, total_cents INT, till INT);\nCREATE TABLE line(receipt INT REFERENCES receipt, sku TEXT, qty INT, cents INT);\nCREATE INDEX line_receipt ON line(receipt);",
    ),
  ],
  work: [
    write(
      "/tmp/w/frames.py",
      `import struct\nHEAD, FRAME = 32, 24\ndef frames(data):\n    salts = data[16:24]\n    sums = checksum(data[:24], (0, 0))\n    at = HEAD\n    while at + FRAME + 4096 <= len(data):\n        page, commit = struct.unpack(">II", data[at:at + 8])\n        good = data[at + 8:at + 16] == salts\n        sums = checksum(data[at:at + 8] + data[at + 24:at + 24 + 4096], sums)\n        yield page, commit, good, sums == struct.unpack(">II", data[at + 16:at + 24])\n        at += FRAME + 4096`,
      "Walking the frames with their salts and checksums.",
    ),
    sh(
      "cd /tmp/w && python3 frames.py | awk '{print $3, $4}' | uniq -c",
      "    611 ok ok\n      1 ok BAD\n    312 ok chained\n    103 stale -",
      "One frame has a torn page; 312 after it still carry the right salts.",
      "The checksum chain breaks at frame 612, so all after it look bad to SQLite. But each later frame's checksum is consistent when the chain is restarted from the stored sum of frame 612. Page of frame 612? If that page is written again later in the WAL, the torn copy does not matter.",
    ),
  ],
  fix: [
    sh(
      "cd /tmp/w && python3 frames.py --page-of 612 && python3 frames.py --writes-of 1184",
      "frame 612: page 1184, no commit\npage 1184 written in frames 240, 612, 655 (commit 1807)",
      "The torn page is written again in frame 655 of the same transaction, so nothing is lost.",
    ),
    sh(
      "cd /tmp/w && python3 rebuild.py sales.db sales.db-wal --skip 612 --until-last-commit -o restored.db",
      "applied 923 frames, last commit in frame 921, 2 frames of an open transaction left out",
    ),
    sh(
      "cd /tmp/w && sqlite3 restored.db 'pragma integrity_check; select count(*) from receipt; select count(*) from line where receipt not in (select id from receipt)'",
      "ok\n18377\n0",
      "18,377 receipts, as on the paper roll, and no orphan lines.",
    ),
    sh(
      "cp /tmp/w/restored.db /var/lib/till/ && cd /var/lib/till && sha256sum sales.db* | diff - /tmp/before.sha && echo untouched",
      "untouched",
    ),
  ],
  tests: [
    "test_integrity_check",
    "test_receipt_count",
    "test_no_uncommitted_receipt",
    "test_lines_complete",
    "test_totals_match_lines",
    "test_originals_untouched",
    "test_index_usable",
    "test_no_wal_left_behind",
  ],
  report:
    "restored.db holds 18,377 receipts and passes the integrity check. Frame 612 of the WAL was torn, which hid 311 good frames; its page is written again in frame 655 of the same transaction. Two frames of an uncommitted transaction were left out. The three originals are unchanged.",
  failures: [
    {
      kind: "misread task",
      actions: [
        sh(
          "cd /var/lib/till && sqlite3 sales.db '.recover' | sqlite3 restored.db && sqlite3 restored.db 'select count(*) from receipt'",
          "18204",
          "The shell's .recover command salvages what it can.",
        ),
        sh("ls -l /var/lib/till/sales.db-wal | awk '{print $5}'", "0"),
      ],
      failed: [
        ["test_receipt_count", "assert count == 18377", "AssertionError: 18204 != 18377"],
        [
          "test_originals_untouched",
          "assert digests == before",
          "AssertionError: sales.db-wal changed: 41d7a6f0 -> e3b0c442",
        ],
      ],
      report: "restored.db was made with .recover and holds all receipts that can be read.",
    },
    {
      kind: "unverified claim",
      actions: [
        sh(
          "cd /tmp/w && python3 rebuild.py sales.db sales.db-wal --skip 612 -o restored.db && cp restored.db /var/lib/till/",
          "applied 925 frames",
          "Applying every frame but the torn one.",
        ),
      ],
      failed: [
        [
          "test_no_uncommitted_receipt",
          "assert 18378 not in ids",
          "AssertionError: receipt 18378 was never committed",
        ],
        [
          "test_integrity_check",
          `assert result == "ok"`,
          "AssertionError: row 18378 missing from index line_receipt",
        ],
      ],
      report: "The receipts of the WAL are restored; restored.db is complete.",
    },
  ],
};
