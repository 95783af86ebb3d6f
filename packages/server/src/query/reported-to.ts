import type { DatasetDefinition } from "../definition/dataset.ts";
import type { Asker } from "./answer.ts";

type Reported = { readonly dataset: DatasetDefinition; readonly warnings: readonly string[] };

const without = new WeakMap<DatasetDefinition, Reported>();

/** The dataset as described to this caller: without figures of other datasets that it may not read. */
export function reportedTo(dataset: DatasetDefinition, asker: Pick<Asker, "mayRead">): Reported {
  const { withheld } = dataset;
  if (withheld === undefined || asker.mayRead(withheld.of)) return { dataset, warnings: [] };
  const { field, of, served } = withheld;
  const warning = `${field} is null: it belongs to agent_id ${of.agentId} (${of.name}), which this key may not read`;
  const reported = without.get(dataset) ?? { dataset: { ...dataset, served }, warnings: [warning] };
  without.set(dataset, reported);
  return reported;
}
