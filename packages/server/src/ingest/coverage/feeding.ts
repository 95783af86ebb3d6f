import type { Connector } from "../../definition/connector.ts";
import type { Derivation } from "../../definition/derivation.ts";

/** What the asked tables hang on: streams (not those that only add to them), the derivations between, and tables that nothing fills. */
export type Feeding = {
  readonly connectors: readonly Connector[];
  readonly derivations: readonly Derivation[];
  readonly orphans: readonly string[];
};

/** Follows derived tables back to the tables that streams fill. */
export function findFeeding(
  tables: readonly string[],
  connectors: readonly Connector[],
  derivations: readonly Derivation[],
): Feeding {
  const found = { connectors: new Set<Connector>(), derivations: new Set<Derivation>(), orphans: new Set<string>() };
  const seen = new Set<string>();
  const follow = (table: string): void => {
    if (seen.has(table)) return;
    seen.add(table);
    const streams = connectors.filter((connector) => connector.tables.some(({ name }) => name === table));
    const makers = derivations.filter(({ into }) => into.name === table);
    if (streams.length + makers.length === 0) found.orphans.add(table);
    for (const stream of streams) found.connectors.add(stream);
    for (const maker of makers) {
      found.derivations.add(maker);
      follow(maker.from.name);
    }
  };
  for (const table of tables) follow(table);
  return {
    connectors: [...found.connectors],
    derivations: [...found.derivations],
    orphans: [...found.orphans],
  };
}
