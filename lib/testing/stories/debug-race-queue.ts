import { bad, edit, read, sh } from "./story";
import type { Story } from "./story";

/** The story of `debug-race-queue`. */
export const debugRaceQueue: Story = {
  task: "debug-race-queue",
  workdir: "/src/ringq",
  minutes: 3.2,
  kiloTokens: 27,
  prompt: `ringq is a bounded multi-producer, multi-consumer queue in C11. About one stress run in forty loses an item or delivers one twice.

Find and fix the race in ringq.c without adding a lock: \`make stress\` (200 runs, 8 threads) must pass under ThreadSanitizer and natively, and throughput in \`make bench\` may drop by at most 5 %.`,
  explore: [
    read(
      "/src/ringq/ringq.c",
      `bool ringq_push(ringq *q, void *item) {\n    size_t pos = atomic_load_explicit(&q->tail, memory_order_relaxed);\n    for (;;) {\n        cell *c = &q->cells[pos & q->mask];\n        size_t seq = atomic_load_explicit(&c->seq, memory_order_acquire);\n        intptr_t dif = (intptr_t)seq - (intptr_t)pos;\n        if (dif == 0) {\n            if (atomic_compare_exchange_weak_explicit(&q->tail, &pos, pos + 1, memory_order_relaxed, memory_order_relaxed)) {\n                c->item = item;\n                atomic_store_explicit(&c->seq, pos + 1, memory_order_relaxed);\n                return true;\n            }\n        } else if (dif < 0) return false;\n        else pos = atomic_load_explicit(&q->tail, memory_order_relaxed);\n    }\n}`,
      "The push side, cell by cell.",
      "The sequence store after writing the item is relaxed. A consumer that sees seq == pos+1 with acquire has nothing to synchronise with: it may read the old item. That is the bug, at least one of them.",
    ),
    sh(
      "cd /src/ringq && sed -n 38,62p ringq.c",
      "bool ringq_pop(ringq *q, void **out) {\n    ...\n            *out = c->item;\n            atomic_store_explicit(&c->seq, pos + q->mask + 1, memory_order_release);",
    ),
    sh(
      "cd /src/ringq && make bench",
      "8 threads, 20 M items: 41.8 M items/s",
      "The speed before any change.",
    ),
    sh(
      "cd /src/ringq && git log --oneline | head -4",
      "7c1e0f2 relax the store in push: 3 % faster\n51ab990 stress: count duplicates\ne0d1277 cells padded to 64 bytes\n0b4f6aa first version",
      "",
      "The last commit says it all.",
    ),
  ],
  work: [
    bad(
      2,
      "cd /src/ringq && make stress SAN=thread 2>&1 | head -12",
      "WARNING: ThreadSanitizer: data race (pid=1204)\n  Read of size 8 at 0x7b4400000048 by thread T5:\n    #0 ringq_pop ringq.c:55\n  Previous write of size 8 at 0x7b4400000048 by thread T2:\n    #0 ringq_push ringq.c:29\nmake: *** [stress] Error 66",
      "ThreadSanitizer agrees: the item is read without an edge to its write.",
    ),
  ],
  fix: [
    edit(
      "/src/ringq/ringq.c",
      `atomic_store_explicit(&c->seq, pos + 1, memory_order_relaxed);`,
      `atomic_store_explicit(&c->seq, pos + 1, memory_order_release);`,
      "The store publishes the item, so it has to be a release.",
    ),
    sh(
      "cd /src/ringq && make stress SAN=thread && make stress",
      "200 of 200 runs clean (thread sanitizer)\n200 of 200 runs clean",
      "Both ways, 200 runs each.",
    ),
    sh(
      "cd /src/ringq && make bench",
      "8 threads, 20 M items: 41.1 M items/s",
      "1.7 % slower, within the limit.",
    ),
  ],
  tests: [
    "test_stress_native",
    "test_stress_tsan",
    "test_no_duplicates",
    "test_no_losses",
    "test_no_lock_added",
    "test_throughput",
    "test_api_unchanged",
  ],
  report:
    "The store that publishes an item in ringq_push was relaxed (since 7c1e0f2), so a consumer could see the new sequence number and the old item. It is a release store again. 200 of 200 stress runs pass natively and under ThreadSanitizer; throughput drops by 1.7 %.",
  failures: [
    {
      kind: "unverified claim",
      actions: [
        edit(
          "/src/ringq/ringq.c",
          `                c->item = item;`,
          `                c->item = item;\n                __asm__ volatile("" ::: "memory");`,
          "A compiler barrier keeps the two stores in order.",
        ),
        sh("cd /src/ringq && make stress RUNS=20", "20 of 20 runs clean"),
      ],
      failed: [
        [
          "test_stress_tsan",
          "assert proc.returncode == 0",
          "AssertionError: ThreadSanitizer: data race in ringq_pop ringq.c:55",
        ],
      ],
      report: "A barrier between the two stores in ringq_push removes the race. The stress test passes.",
    },
  ],
};
