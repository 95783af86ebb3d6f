import { mayRead } from "../../access/may-read.ts";
import { toCaller } from "../../access/session-user.ts";
import { describeDataset } from "../../definition/describe-dataset.ts";
import { SNIPPETS } from "../docs/snippets/snippets.ts";
import type { ConsoleDoor } from "./console-door.ts";
import type { ConsoleOptions } from "./console-options.ts";

/** Every dataset as the explorer draws it: its definition, whether this account may read it, the pages its plan allows; and the snippets it fills in. */
export function addDatasetsRoute({ on }: ConsoleDoor, { catalogue }: ConsoleOptions): void {
  const described = catalogue.map((dataset) => ({ dataset, told: describeDataset(dataset) }));
  on("datasets.list", async ({ user }) => {
    const caller = toCaller(user);
    const { maxPage } = caller.plan;
    const datasets = [];
    for (const { dataset, told } of described) {
      const limit = { default: Math.min(told.limit.default, maxPage), max: Math.min(told.limit.max, maxPage) };
      datasets.push({ ...told, limit, may_read: mayRead(caller, dataset) });
    }
    return { datasets, snippets: SNIPPETS };
  });
}
