import { mayRead } from "../../access/may-read.ts";
import { toCaller } from "../../access/session-user.ts";
import { describeDataset } from "../../definition/describe-dataset.ts";
import type { ConsoleDoor } from "./console-door.ts";
import type { ConsoleOptions } from "./console-options.ts";

/** Every dataset as the explorer draws it: its definition, whether this account may read it, the pages its plan allows. */
export function addDatasetsRoute({ on }: ConsoleDoor, { catalogue }: ConsoleOptions): void {
  const described = catalogue.map((dataset) => ({ dataset, told: describeDataset(dataset) }));
  on("datasets.list", async ({ user }) => {
    const caller = toCaller(user);
    const { maxPage } = caller.plan;
    return {
      datasets: described.map(({ dataset, told }) => ({
        ...told,
        may_read: mayRead(caller, dataset),
        limit: { default: Math.min(told.limit.default, maxPage), max: Math.min(told.limit.max, maxPage) },
      })),
    };
  });
}
