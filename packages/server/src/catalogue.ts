// Lists of the content folders' definitions, taken only from what each folder's index exports.
import * as connectorsByName from "./connectors/index.ts";
import * as datasetsByName from "./datasets/index.ts";
import type { Connector } from "./definition/connector.ts";
import type { DatasetDefinition } from "./definition/dataset.ts";
import type { TableDefinition } from "./definition/table.ts";
import * as tablesByName from "./tables/index.ts";

export const connectors: readonly Connector[] = Object.values(connectorsByName);
export const tables: readonly TableDefinition[] = Object.values(tablesByName);
export const datasets: readonly DatasetDefinition[] = Object.values(datasetsByName);
export { dayDerivations, derivations, folds, refreshes } from "./derivations/index.ts";
