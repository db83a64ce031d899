import { refuseFiles, watchLargeFiles } from "@/lib/read/loader/large-files";

import type { PlacedOrder, Start, SupervisedReply } from "./supervise";
import { endWithParent, tellParent } from "./with-parent";

type CarryOut<Order> = (order: Order) => Promise<void> | undefined;

type Open<Data, Order, Status> = (data: Data, report: (status: Status) => void) => Promise<CarryOut<Order>>;

/** @param open - prepares the process and returns what carries out its orders */
export function serveSupervised<Data, Order, Status>(open: Open<Data, Order, Status>): void {
  const reply = (message: SupervisedReply<Status>): void => tellParent(message);
  endWithParent();
  let opening: Promise<CarryOut<Order>> | null = null;
  process.on("message", (request: Start<Data> | PlacedOrder<Order>) => {
    if (request.kind === "start") {
      refuseFiles(request.setAside);
      watchLargeFiles((file) => tellParent({ kind: "at-file", file }));
      opening = open(request.data, (status) => reply({ kind: "status", status }));
    } else
      void opening
        ?.then((carryOut) => carryOut(request.order))
        .then(() => reply({ kind: "done", id: request.id }));
  });
}
