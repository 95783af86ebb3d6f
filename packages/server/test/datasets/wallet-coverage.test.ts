import { expect, test } from "vitest";
import { connectors, datasets, dayDerivations, derivations, folds, refreshes } from "../../src/catalogue.ts";
import { sourcesOf } from "../../src/definition/derivation.ts";
import { foldMakers } from "../../src/definition/fold.ts";
import type { Maker } from "../../src/definition/coverage.ts";
import { bind } from "../../src/definition/sql.ts";
import { findFeeding } from "../../src/ingest/coverage/feeding.ts";
import { tablesOf } from "../../src/query/requested-of.ts";
import { ANNA } from "../fixtures/wallet-names.ts";

const makers: readonly Maker[] = [
  ...derivations.map((one) => Object.assign({}, one, { from: sourcesOf(one), everySeconds: 0 })),
  ...refreshes,
  ...dayDerivations.map((one) => Object.assign({}, one, { everySeconds: 3600 })),
  ...folds.flatMap(foldMakers),
];

test.each([569, 579, 581, 586, 1001, 1003, 1005])("coverage of %s depends on the streams of the ledger", (agentId) => {
  const dataset = datasets.find((one) => one.agentId === agentId);
  const tables = dataset ? tablesOf(dataset, { proxy_wallet: bind("Array(String)", [ANNA]) }) : [];
  const names = tables.map(({ name }) => name);
  const feeding = findFeeding(names, connectors, makers);
  expect(feeding.orphans).toEqual([]);
  const brought = feeding.connectors.flatMap((connector) => connector.tables.map(({ name }) => name));
  expect(brought).toEqual(
    expect.arrayContaining([
      "polymarket_fills",
      "polymarket_position_changes",
      "polymarket_transfers",
      "polymarket_resolutions",
    ]),
  );
  expect(brought).not.toContain("kalshi_trades");
});
