import type { InsertRow } from "../../src/definition/table.ts";
import { openFolded } from "../fold/open-folded.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { accountKey } from "./recorded-fills.ts";
import type { RecordedRow } from "./recordings.ts";

export type RecordedWorld = {
  /** Rows of 1001, keyed by wallet and token. */
  readonly positions: (wallets: Iterable<string>) => Promise<Map<string, RecordedRow>>;
  /** Rows of 581. */
  readonly profiles: (
    wallets: readonly string[],
    params: Readonly<Record<string, string>>,
  ) => Promise<readonly RecordedRow[]>;
  readonly close: () => Promise<void>;
};

/** Opens a store of recorded rows (by table) with computed wallet days, and queries on it. */
export async function openRecorded(
  rows: Readonly<Record<string, readonly InsertRow[]>>,
  closed: string,
): Promise<RecordedWorld> {
  const { store, close } = await openFolded(rows, closed);
  const query = openTestQuery(store, () => Date.parse(`${closed}T12:00:00Z`));
  return {
    close,
    positions: async (wallets) => {
      const found = new Map<string, RecordedRow>();
      for (const proxy_wallet of wallets) {
        const params = { proxy_wallet, status: "ALL" };
        for (const row of await query.rows(1001, { params, pagination: { limit: 1000 } }))
          found.set(accountKey(row["proxy_wallet"], row["token_id"]), row);
      }
      return found;
    },
    profiles: (wallets, params) =>
      query.rows(581, {
        params: { ...params, proxy_wallet: wallets.join(",") },
        pagination: { limit: wallets.length },
      }),
  };
}
