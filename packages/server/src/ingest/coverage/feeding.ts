import type { Connector, PullConnector } from "../../definition/connector.ts";
import { LRUCache } from "lru-cache";
import type { Maker } from "../../definition/coverage.ts";
import type { TableDefinition } from "../../definition/table.ts";

/** Whether a stream selects what it requests: its venue can never be reported as fully covered. */
export const isSelective = (connector: Connector): connector is PullConnector =>
  connector.kind === "pull" && connector.isSelective === true;

/**
 * Dependencies of the requested tables: streams (without those that only add to them or are selective), makers of the
 * tables in between, and tables that nothing fills.
 */
export type Feeding = {
  readonly connectors: readonly Connector[];
  readonly makers: readonly Maker[];
  /** Maker name → names of the `connectors` whose rows it reads, directly or through other makers. */
  readonly streamsOf: ReadonlyMap<string, ReadonlySet<string>>;
  readonly orphans: readonly string[];
  /** The same streams grouped by the table they fill; without tables that no stream of these venues fills. */
  readonly byTable: readonly (readonly Connector[])[];
  /** Those of `connectors` that only refine rows: how far back they reach does not affect what is missing. */
  readonly finer: ReadonlySet<Connector>;
  /** Selective streams that state what they cover of their venue. */
  readonly choosing: readonly PullConnector[];
};

const MAX_KEPT = 500;

/** Finds the dependencies of tables and caches them: they are constant for the process lifetime. */
export function createFeedingLookup(
  connectors: readonly Connector[],
  makers: readonly Maker[],
): (tables: readonly string[], venues: readonly string[] | undefined) => Feeding {
  const kept = new LRUCache<string, Feeding>({ max: MAX_KEPT });
  return (tables, venues) => {
    const key = JSON.stringify([tables, venues]);
    const found = kept.get(key) ?? findFeeding(tables, connectors, makers, venues);
    kept.set(key, found);
    return found;
  };
}

/** Traces derived tables back to the tables that streams fill; only streams of the given venues count. */
export function findFeeding(
  tables: readonly string[],
  connectors: readonly Connector[],
  makers: readonly Maker[],
  venues?: readonly string[],
): Feeding {
  const found = { connectors: new Set<Connector>(), makers: new Set<Maker>(), orphans: new Set<string>() };
  const choosing = new Set<PullConnector>();
  const whole = new Set<Connector>();
  const byTable: (readonly Connector[])[] = [];
  const seen = new Set<string>();
  const isRequested = ({ venue }: Connector): boolean => venues?.includes(venue) !== false;
  const follow = (table: string, isFiner: boolean): void => {
    if (seen.has(`${table} ${isFiner}`)) return;
    seen.add(`${table} ${isFiner}`);
    const streams = connectors.filter((connector) => connector.tables.some(({ name }) => name === table));
    const making = makers.filter(({ into }) => into.name === table);
    if (streams.length + making.length === 0) found.orphans.add(table);
    const counted = streams.filter((stream) => isRequested(stream) && !isSelective(stream));
    if (counted.length > 0) byTable.push(counted);
    for (const stream of counted) {
      found.connectors.add(stream);
      if (!isFiner) whole.add(stream);
    }
    for (const stream of streams.filter(isRequested))
      if (isSelective(stream) && stream.holdsOnly !== undefined) choosing.add(stream);
    for (const maker of making) {
      found.makers.add(maker);
      for (const source of maker.from) follow(source.name, isFiner || maker.finerBy?.includes(source) === true);
    }
  };
  for (const table of tables) follow(table, false);
  return {
    connectors: [...found.connectors],
    makers: [...found.makers],
    streamsOf: streamsByMaker([...found.makers], [...found.connectors]),
    orphans: [...found.orphans],
    byTable,
    finer: new Set([...found.connectors].filter((one) => !whole.has(one))),
    choosing: [...choosing],
  };
}

function streamsByMaker(
  makers: readonly Maker[],
  connectors: readonly Connector[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Set(makers.map(({ name }) => name));
  return new Map(
    Array.from(names, (name) => {
      const read = new Set(makers.filter((maker) => maker.name === name).flatMap(({ from }) => namesOf(from)));
      // Iterating a set also visits elements added meanwhile.
      for (const table of read)
        for (const { into, from } of makers)
          if (into.name === table) for (const source of namesOf(from)) read.add(source);
      const feeding = connectors.filter(({ tables }) => namesOf(tables).some((table) => read.has(table)));
      return [name, new Set(feeding.map((connector) => connector.name))];
    }),
  );
}

const namesOf = (tables: readonly TableDefinition[]): string[] => tables.map(({ name }) => name);
