import { bad, edit, read, sh, talk, write } from "./story";
import type { Story } from "./story";

/** The story of `wasm-memory-cap`. */
export const wasmMemoryCap: Story = {
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
