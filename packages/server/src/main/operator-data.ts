import { CallerError } from "../definition/errors.ts";
import type { Connector } from "../definition/connector.ts";
import type { TableDefinition } from "../definition/table.ts";
import type { OperatorData } from "../http/console/console-options.ts";
import { listParked } from "../ingest/control/list-parked.ts";
import { findTrouble, findStatus } from "../ingest/status/read-status.ts";
import type { Records } from "../records/records.ts";
import { readSizes } from "../store/read-sizes.ts";
import type { Store } from "../store/store.ts";
import { findLastBackup } from "./backup/choose-backup.ts";
import { statusValue } from "./status-command.ts";

export type OperatorParts = {
  readonly connectors: readonly Connector[];
  readonly tables: readonly TableDefinition[];
  readonly store: Pick<Store, "rows">;
  readonly records: Pick<Records, "db">;
  /** Unix ms, by the machine's clock and by the venues'. */
  readonly now: () => number;
  readonly venueNow: () => number;
};

const RETRY_SECONDS = 2;

/** Reads stream state from what the ingesting process records, wherever it runs. */
export function operatorData(parts: OperatorParts): OperatorData {
  const { connectors, store, records, now, venueNow } = parts;
  const { db } = records;
  const tables = describeTables(parts.tables);
  return {
    streams: async () => {
      const status = await findStatus({ connectors, db, now: now(), venueNow: venueNow() });
      return { ...statusValue(status), trouble: findTrouble(status) };
    },
    store: async () => {
      const backedUp = await findLastBackup(records);
      try {
        const sizes = await readSizes(store);
        return {
          ...sizes,
          last_backup_at: backedUp?.toISOString() ?? null,
          tables: sizes.tables.map((size) => Object.assign({}, NO_TABLE, tables.get(size.name), size)),
        };
      } catch (cause) {
        throw new CallerError("UNAVAILABLE", "The column engine does not answer; try again in a moment.", {
          retryAfterSeconds: RETRY_SECONDS,
          cause,
        });
      }
    },
    parked: (requested) => listParked(db, requested),
  };
}

type Description = { readonly about: string | null; readonly copy_of: string | null };

/** For a table without a definition, such as the list of migrations. */
const NO_TABLE: Description = { about: null, copy_of: null };

/** Name → contents of the table; additional sort orders and superseded rows are copies of their table. */
function describeTables(tables: readonly TableDefinition[]): ReadonlyMap<string, Description> {
  return new Map(
    tables.flatMap(({ name, about, copies, keepVersionsHours }): [string, Description][] => [
      [name, { about, copy_of: null }],
      ...Object.keys(copies ?? {}).map((copy): [string, Description] => [copy, { about, copy_of: name }]),
      ...(keepVersionsHours === undefined
        ? []
        : [[`${name}_versions`, { about, copy_of: name }] as [string, Description]]),
    ]),
  );
}
