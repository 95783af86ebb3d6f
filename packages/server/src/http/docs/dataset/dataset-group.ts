import type { DatasetDefinition } from "../../../definition/dataset.ts";

/** The groups of datasets in display order. */
export const DATASET_GROUPS = ["Polymarket", "Kalshi", "Markets", "Wallets", "Social"] as const;

const BY_NAME: readonly (readonly [RegExp, (typeof DATASET_GROUPS)[number]])[] = [
  [/^kalshi-/, "Kalshi"],
  [/^social-/, "Social"],
  [/^wallet-|pnl|^score-/, "Wallets"],
  [/^polymarket-/, "Polymarket"],
];

/** The group of a dataset, by its name. */
export function datasetGroup({ name }: Pick<DatasetDefinition, "name">): string {
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? "Markets";
}
