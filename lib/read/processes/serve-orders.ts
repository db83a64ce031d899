import { leaveTrial, refuseFiles, tellTrials, watchLargeFiles } from "@/lib/read/loader/large-files";

import type { AtFile, Order, Report } from "./protocol";
import { endWithParent, tellParent } from "./with-parent";

/** `onProgress` takes the number of items done since its last call. */
export type Worker<Request, Answer> = (
  request: Request,
  onProgress: (n: number) => void,
) => Answer | Promise<Answer>;

export function serveOrders<Request, Answer>(work: Worker<Request, Answer>): void {
  const report = (message: Report<Answer> | AtFile): void => tellParent(message);
  endWithParent();
  watchLargeFiles((file) => report({ kind: "at-file", file }));
  let last: Promise<void> = Promise.resolve();
  const carryOut = async ({ request, setAside, isSecondTry }: Order<Request>): Promise<void> => {
    refuseFiles(setAside);
    tellTrials(isSecondTry);
    try {
      const answer = await work(request, (n) => report({ kind: "progress", n }));
      leaveTrial();
      report({ kind: "done", answer });
    } catch (error) {
      leaveTrial();
      report(describeFailure(error));
    }
  };
  process.on("message", (order: Order<Request>) => {
    last = last.then(() => carryOut(order));
  });
}

function describeFailure(error: unknown): Report<never> {
  if (!(error instanceof Error)) return { kind: "failed", message: String(error), code: null, stack: null };
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  return { kind: "failed", message: error.message, code, stack: error.stack ?? null };
}
