import type { ConsoleClient } from "./console-client.ts";

/** Things of the paper world, by the names that parameters have. */
export type KnownThings = {
  readonly token_id: string;
  readonly condition_id: string;
  readonly ticker: string;
  readonly wallet: string;
};

/** How many trades there are to choose from, and how many are passed over from one choice to the next. */
const NEWEST = 200;
const STRIDE = 13;

/**
 * A market, a token, a wallet and a ticker that have traded, as the service answers them: of the newest trade, or with
 * `choice` 1, 2, … of others of the newest.
 */
export async function findThings(console: ConsoleClient, choice = 0): Promise<KnownThings> {
  const chosen = async (agentId: number, params: Record<string, string>, fields: readonly string[]) => {
    const rows = await console.ask(agentId, params, NEWEST);
    const row = rows[(choice * STRIDE) % Math.max(1, rows.length)];
    return fields.map((field) => {
      const found = row?.[field];
      if (typeof found !== "string" || found === "")
        throw new Error(`${agentId} has no ${field} in ${JSON.stringify(row)}`);
      return found;
    });
  };
  const [token_id = "", condition_id = "", wallet = ""] = await chosen(556, {}, [
    "token_id",
    "condition_id",
    "proxy_wallet",
  ]);
  const [ticker = ""] = await chosen(573, { start_time: "2020-01-01" }, ["ticker"]);
  return { token_id, condition_id, wallet, ticker };
}
