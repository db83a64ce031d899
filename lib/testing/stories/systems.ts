import { bad, edit, plotted, read, sh, talk, write } from "./story";
import type { Story } from "./story";

const race: Story = {
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

const leak: Story = {
  task: "strace-leak-hunt",
  workdir: "/opt/relayd",
  minutes: 5,
  kiloTokens: 34,
  prompt: `relayd (a Python daemon, source in /opt/relayd) dies about every nine hours with "Too many open files". The limit may not be raised.

Find the descriptor leak and fix it. The check sends 20,000 requests, a part of them malformed or cut off, and allows 40 open descriptors at the end. Write the file and line of the leak to /opt/relayd/FOUND.`,
  explore: [
    read(
      "/opt/relayd/relayd/server.py",
      `async def handle(reader, writer):\n    try:\n        head = await asyncio.wait_for(reader.readline(), 5)\n        route = parse(head)\n        body = await read_body(reader, route)\n        await forward(route, body, writer)\n    except ParseError as error:\n        writer.write(error.reply())\n    finally:\n        writer.close()`,
      "The connection itself is closed in all cases.",
    ),
    read(
      "/opt/relayd/relayd/spool.py",
      `def spool(body):\n    fd, path = tempfile.mkstemp(dir=SPOOL)\n    os.write(fd, body)\n    os.close(fd)\n    return path\n\ndef replay(path):\n    f = open(path, "rb")\n    head = f.readline()\n    if not head.startswith(b"RLY1"):\n        return None\n    data = f.read()\n    f.close()\n    return data`,
      "",
      "replay returns None without closing f. CPython would close it by reference counting, though, when the frame ends. Unless a traceback or a cycle holds it.",
    ),
    sh(
      "cd /opt/relayd && python3 load.py --requests 500 & sleep 4; ls -l /proc/$(cat /run/relayd.pid)/fd | awk '{print $NF}' | sed 's/[0-9]*//g' | sort | uniq -c | sort -rn",
      "    112 socket:[]\n     11 /var/spool/relayd/tmp\n      4 /dev/null\n      3 anon_inode:[eventpoll]",
      "Sockets, not files, are what grows.",
    ),
  ],
  work: [
    plotted(
      sh(
        "cd /opt/relayd && python3 watch_fds.py --seconds 60 --plot fds.png",
        "t=0 31, t=15 74, t=30 118, t=45 161, t=60 204\ncut-off requests so far: 177",
        "Descriptors over a minute of load, next to the number of requests that were cut off.",
      ),
      [0.05, 0.2, 0.38, 0.55, 0.72, 0.9],
      [0.02, 0.18, 0.35, 0.52, 0.7, 0.87],
    ),
    sh(
      "strace -f -e trace=connect,close,socket -p $(cat /run/relayd.pid) 2>&1 | grep -A2 'ECONNRESET' | head -6",
      '[pid 90] recvfrom(41, "", 4096, 0) = -1 ECONNRESET\n[pid 90] socket(AF_INET, SOCK_STREAM) = 43\n[pid 90] connect(43, {sin_port=htons(7010)}) = 0',
      "After a reset from the client a socket to the upstream is opened and never closed.",
    ),
  ],
  fix: [
    read(
      "/opt/relayd/relayd/upstream.py",
      `async def forward(route, body, writer):\n    up_reader, up_writer = await asyncio.open_connection(route.host, route.port)\n    up_writer.write(body)\n    await up_writer.drain()\n    reply = await up_reader.read()\n    writer.write(reply)\n    await writer.drain()\n    up_writer.close()`,
      "forward closes the upstream only when everything before it succeeds.",
    ),
    edit(
      "/opt/relayd/relayd/upstream.py",
      `    up_writer.write(body)\n    await up_writer.drain()\n    reply = await up_reader.read()\n    writer.write(reply)\n    await writer.drain()\n    up_writer.close()`,
      `    try:\n        up_writer.write(body)\n        await up_writer.drain()\n        writer.write(await up_reader.read())\n        await writer.drain()\n    finally:\n        up_writer.close()\n        await up_writer.wait_closed()`,
    ),
    sh(
      "cd /opt/relayd && ./restart && python3 load.py --requests 20000 --cut 0.2 && ls /proc/$(cat /run/relayd.pid)/fd | wc -l",
      "20000 requests, 4011 cut off\n22",
    ),
    write("/opt/relayd/FOUND", "relayd/upstream.py:8\n"),
  ],
  tests: [
    "test_fd_count_after_load",
    "test_cut_off_requests",
    "test_malformed_requests",
    "test_upstream_closed",
    "test_replies_unchanged",
    "test_limit_not_raised",
    "test_found_names_line",
  ],
  report:
    "Each request whose client hung up before the reply leaked its upstream socket: forward() closed it on the straight path only. It is closed in a finally block now. After 20,000 requests, a fifth of them cut off, 22 descriptors are open. FOUND names relayd/upstream.py:8.",
  failures: [
    {
      kind: "wrong file",
      actions: [
        edit(
          "/opt/relayd/relayd/spool.py",
          `    f = open(path, "rb")\n    head = f.readline()`,
          `    with open(path, "rb") as f:\n        head = f.readline()`,
          "replay() returns without closing its file: that is the leak.",
        ),
        write("/opt/relayd/FOUND", "relayd/spool.py:8\n"),
        sh(
          "cd /opt/relayd && ./restart && python3 load.py --requests 300 && ls /proc/$(cat /run/relayd.pid)/fd | wc -l",
          "300 requests, 0 cut off\n21",
        ),
      ],
      failed: [
        [
          "test_fd_count_after_load",
          "assert open_fds <= 40",
          "AssertionError: 1024 descriptors are open after 20000 requests",
        ],
        ["test_cut_off_requests", "assert leaked == 0", "AssertionError: 993 sockets to :7010 in CLOSE_WAIT"],
        [
          "test_found_names_line",
          `assert found == "relayd/upstream.py:8"`,
          "AssertionError: 'relayd/spool.py:8'",
        ],
      ],
      report:
        "The leak was in spool.replay(), which returned without closing its file. With the fix 21 descriptors stay open after a load run.",
    },
    {
      kind: "weakened tests",
      actions: [
        edit(
          "/opt/relayd/relayd/server.py",
          `async def handle(reader, writer):`,
          `resource.setrlimit(resource.RLIMIT_NOFILE, (65536, 65536))\n\nasync def handle(reader, writer):`,
          "Raising the limit in the process is not the system limit, so it should be allowed.",
        ),
      ],
      failed: [
        ["test_limit_not_raised", "assert soft == 1024", "AssertionError: 65536 != 1024"],
        ["test_fd_count_after_load", "assert open_fds <= 40", "AssertionError: 4033 descriptors are open"],
      ],
      report: "relayd survives 20,000 requests without an error now.",
    },
  ],
};

const wasm: Story = {
  task: "wasm-memory-cap",
  workdir: "/app/plug",
  minutes: 4.6,
  kiloTokens: 31,
  prompt: `The plug-in host in /app/plug runs untrusted WebAssembly with wasmtime. Plug-ins must not use more than 64 MiB, but big.wasm takes 900 MiB before the host is killed.

Enforce the cap for linear memories AND tables, over all instances of one plug-in together; a plug-in over the cap must get a trap, the host must live on and report "memory cap" with the plug-in's name. Plug-ins under the cap must not notice anything.`,
  explore: [
    read(
      "/app/plug/src/host.rs",
      `pub fn run(&self, name: &str, wasm: &[u8]) -> Result<Report> {\n    let module = Module::new(&self.engine, wasm)?;\n    let mut store = Store::new(&self.engine, State::default());\n    let instance = self.linker.instantiate(&mut store, &module)?;\n    let run = instance.get_typed_func::<(), i32>(&mut store, "run")?;\n    Ok(Report::ok(name, run.call(&mut store, ())?))\n}`,
      "No limiter on the store at all.",
    ),
    sh(
      "cd /app/plug && grep -n wasmtime Cargo.toml && ls plugins",
      '12:wasmtime = "26"\nbig.wasm\nchild.wasm\nok_60m.wasm\ntable.wasm\nwc.wasm',
    ),
    sh(
      "cd /app/plug && wasm-objdump -x plugins/child.wasm | grep -E 'import|memory' | head -4",
      " - memory[0] pages: initial=16 max=16384\n - func[0] sig=0 <host.spawn> <- host.spawn",
      "child.wasm spawns further instances through the host.",
      "spawn creates a new Store. A StoreLimits per store would give each child its own 64 MiB: the cap has to be shared.",
    ),
  ],
  work: [
    edit(
      "/app/plug/src/host.rs",
      `    let mut store = Store::new(&self.engine, State::default());`,
      `    let mut store = Store::new(&self.engine, State::with_limits(CAP));\n    store.limiter(|state| &mut state.limits);`,
      "StoreLimits first, to see what it covers.",
    ),
    bad(
      101,
      "cd /app/plug && cargo test -q 2>&1 | tail -7",
      "test big_is_trapped ... ok\ntest ok_60m_passes ... ok\ntest table_is_trapped ... FAILED\ntest children_share_the_cap ... FAILED\nmemory.grow returned -1; expected a trap\ntest result: FAILED. 5 passed; 2 failed",
    ),
  ],
  fix: [
    write(
      "/app/plug/src/budget.rs",
      `pub struct Budget { used: Arc<AtomicUsize>, cap: usize }\n\nimpl ResourceLimiter for Budget {\n    fn memory_growing(&mut self, current: usize, desired: usize, _max: Option<usize>) -> Result<bool> {\n        self.take(desired - current)\n    }\n    fn table_growing(&mut self, current: usize, desired: usize, _max: Option<usize>) -> Result<bool> {\n        self.take((desired - current) * size_of::<usize>())\n    }\n}`,
      "A budget that all stores of a plug-in share; it returns an error, which becomes a trap, rather than false.",
    ),
    edit(
      "/app/plug/src/host.rs",
      `State::with_limits(CAP)`,
      `State::with_budget(parent.map_or_else(|| Budget::new(CAP), Budget::share))`,
    ),
    sh(
      "cd /app/plug && cargo test -q 2>&1 | tail -3 && for p in plugins/*.wasm; do ./target/debug/plug $p; done",
      "test result: ok. 7 passed; 0 failed\nbig.wasm: memory cap\nchild.wasm: memory cap\nok_60m.wasm: ok 0\ntable.wasm: memory cap\nwc.wasm: ok 1204",
    ),
  ],
  tests: [
    "test_big_is_trapped",
    "test_table_is_trapped",
    "test_children_share_cap",
    "test_60m_passes",
    "test_host_survives",
    "test_report_text",
    "test_budget_released",
    "test_wc_output_equal",
  ],
  report:
    'All stores of one plug-in share a budget of 64 MiB that counts linear memories and tables; going over it is a trap and is reported as "memory cap" with the name. ok_60m.wasm and wc.wasm run as before, and the host goes on after each trap.',
  failures: [
    {
      kind: "stopped early",
      actions: [
        talk(
          "big.wasm, the plug-in named in the task, is stopped at 64 MiB. Tables and children are covered by the same limiter in principle; the two failing tests assert on the exact trap, which wasmtime does not give for memory.grow.",
        ),
      ],
      failed: [
        [
          "test_table_is_trapped",
          `assert report == "memory cap"`,
          "AssertionError: 'ok 0' (table of 128 MiB)",
        ],
        [
          "test_children_share_cap",
          "assert peak <= 64 * MIB",
          "AssertionError: 4 children took 251 MiB together",
        ],
      ],
      report:
        "The host limits each store to 64 MiB with StoreLimits; big.wasm no longer takes the host down.",
    },
    {
      kind: "unverified claim",
      actions: [
        edit(
          "/app/plug/src/host.rs",
          `store.limiter(|state| &mut state.limits);`,
          `store.limiter(|state| &mut state.limits);\n    config.static_memory_maximum_size(64 << 20);`,
          "Capping static memories in the engine's configuration as well.",
        ),
        sh("cd /app/plug && cargo build -q && ./target/debug/plug plugins/big.wasm", "big.wasm: memory cap"),
      ],
      failed: [
        [
          "test_children_share_cap",
          "assert peak <= 64 * MIB",
          "AssertionError: 4 children took 251 MiB together",
        ],
        [
          "test_60m_passes",
          "assert proc.returncode == 0",
          "AssertionError: ok_60m.wasm: memory minimum size of 960 pages exceeds memory limits",
        ],
      ],
      report: "Memory is capped at 64 MiB in the store and in the engine. All plug-ins respect the limit.",
    },
  ],
};

const jit: Story = {
  task: "jit-guard-bisect",
  workdir: "/src/lark",
  minutes: 4.7,
  kiloTokens: 38,
  prompt: `Since some commit the lark JIT gives a wrong result for tests/poly.lk: 1000 iterations return 499500 interpreted and 499499 compiled.

Find the commit (write its full hash to /src/lark/BAD), say in one line which guard is wrong, and fix it on the current branch so that \`make check\` passes with the JIT on. Do not disable an optimisation.`,
  explore: [
    sh(
      "cd /src/lark && git log --oneline | wc -l && git tag | tail -2",
      "418\nv0.8\nv0.9",
      "418 commits, two tags.",
    ),
    sh(
      "cd /src/lark && make -s && ./lark --jit=off tests/poly.lk; ./lark --jit=on tests/poly.lk",
      "499500\n499499",
      "Both results, as described.",
    ),
    sh(
      "cd /src/lark && git stash -q 2>/dev/null; git checkout -q v0.8 && make -s && ./lark --jit=on tests/poly.lk; git checkout -q -",
      "499500",
      "v0.8 was right.",
    ),
    sh(
      "cd /src/lark && ./lark --jit=dump tests/poly.lk | grep -B1 -A3 guard | head -10",
      "0014  guard_type   r3, int\n0015  guard_shape  r1, #7\n0016  load_slot    r4, r1[2]\n0017  add_int      r5, r3, r4",
      "",
      "The loop adds a slot. guard_shape before load_slot, but no guard on the slot's type: r4 is assumed int.",
    ),
  ],
  work: [
    write(
      "/tmp/try.sh",
      '#!/bin/sh\nmake -s clean >/dev/null; make -s 2>/dev/null || exit 125\n[ "$(timeout 20 ./lark --jit=on tests/poly.lk)" = 499500 ]\n',
      "A script for bisect; commits that do not build are skipped.",
    ),
    sh(
      "cd /src/lark && git bisect start HEAD v0.8 -q && git bisect run sh /tmp/try.sh 2>&1 | tail -4",
      "running 'sh' '/tmp/try.sh'\n5d0c9be417f2a6 is the first bad commit\n    guards: hoist loop-invariant shape guards\nbisect found first bad commit",
      "Eight builds later.",
    ),
  ],
  fix: [
    sh(
      "cd /src/lark && git bisect reset -q && git show 5d0c9be --stat | tail -2 && git show 5d0c9be | grep '^[-+]' | sed -n 3,9p",
      " jit/guards.c | 31 +++++++++++++----\n-        if (is_invariant(g, loop))\n+        if (is_invariant(g, loop) || g->kind == GUARD_SHAPE)\n             hoist(g, loop->preheader);",
      "Shape guards are hoisted even when the object changes in the loop.",
      "In poly.lk the object gets a new shape in iteration 999, after the hoisted guard. So the stale slot is read once: off by one.",
    ),
    edit(
      "/src/lark/jit/guards.c",
      `        if (is_invariant(g, loop) || g->kind == GUARD_SHAPE)`,
      `        if (is_invariant(g, loop) && !may_reshape(g->object, loop))`,
      "Hoist only when nothing in the loop can change the object's shape: the optimisation stays.",
    ),
    sh(
      "cd /src/lark && make -s && make check JIT=on 2>&1 | tail -2 && ./lark --jit=dump tests/inv.lk | grep -c hoisted",
      "212 tests, 0 failures\n4",
      "All tests pass, and invariant guards are still hoisted.",
    ),
    sh(
      "cd /src/lark && git rev-parse 5d0c9be > BAD && echo 'guard_shape is hoisted past a store that changes the shape' >> BAD && cat BAD",
      "5d0c9be417f2a6c3908be1d27f6a40c1b9e35d82\nguard_shape is hoisted past a store that changes the shape",
    ),
  ],
  tests: [
    "test_bad_commit",
    "test_poly_result",
    "test_make_check_jit_on",
    "test_hoisting_still_active",
    "test_reshape_in_callee",
    "test_one_line_reason",
    "test_interpreter_unchanged",
    "test_bench_within_5_percent",
  ],
  report:
    "The first bad commit is 5d0c9be (hoist loop-invariant shape guards): shape guards moved out of loops that change the shape. They are hoisted now only when nothing in the loop can reshape the object. make check passes with the JIT on, and tests/inv.lk still hoists four guards.",
  failures: [
    {
      kind: "misread task",
      actions: [
        edit(
          "/src/lark/jit/guards.c",
          `        if (is_invariant(g, loop) || g->kind == GUARD_SHAPE)`,
          `        if (false)`,
          "Guards must not be hoisted for now.",
        ),
        sh(
          "cd /src/lark && make -s && make check JIT=on 2>&1 | tail -1 && git rev-parse 5d0c9be > BAD",
          "212 tests, 0 failures",
        ),
      ],
      failed: [
        [
          "test_hoisting_still_active",
          "assert hoisted >= 4",
          "AssertionError: 0 guards are hoisted in tests/inv.lk",
        ],
        [
          "test_bench_within_5_percent",
          "assert ratio <= 1.05",
          "AssertionError: 1.31 times the time of v0.9",
        ],
      ],
      report: "The bad commit is 5d0c9be. With hoisting off, poly.lk gives 499500 and make check passes.",
    },
    {
      kind: "stopped early",
      actions: [
        sh(
          "cd /src/lark && git bisect reset -q && git rev-parse 5d0c9be > BAD",
          "",
          "The commit is found. Reverting it conflicts with three later commits, so I leave the fix to the authors.",
        ),
      ],
      failed: [
        ["test_poly_result", `assert out == "499500"`, "AssertionError: '499499'"],
        [
          "test_make_check_jit_on",
          "assert proc.returncode == 0",
          "AssertionError: poly.lk: expected 499500, got 499499",
        ],
        ["test_one_line_reason", "assert len(lines) == 2", "AssertionError: BAD has 1 line"],
      ],
      report:
        'git bisect points at 5d0c9be, "guards: hoist loop-invariant shape guards". Its hash is in BAD.',
    },
  ],
};

/** Stories about concurrency, descriptors, sandboxes and compilers. */
export const SYSTEM_STORIES: readonly Story[] = [race, leak, wasm, jit];
