import { openIndex } from "./open-index";

/** Arguments from {@link runIndexChild} in processes.fixture.ts. */
interface ChildTask {
  readonly roots: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly script: string;
  /** True to scan until it is stopped, instead of ending once everything is read. */
  readonly stays: boolean;
}

const SCAN_EVERY_MS = 50;

// oxlint-disable-next-line typescript/no-unsafe-assignment -- the test that starts this program wrote it
const task: ChildTask = JSON.parse(process.argv[2] ?? "");
const index = await openIndex({ ...task, nProcesses: 2 });
const tell = () => process.stdout.write(`${JSON.stringify(index.status())}\n`);
index.subscribe(tell);
await index.scanIfDue();
tell();
if (task.stays) setInterval(() => void index.scanIfDue(), SCAN_EVERY_MS);
else {
  await index.settle();
  await index.close();
}
