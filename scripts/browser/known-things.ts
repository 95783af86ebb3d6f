import { openConsole, type ConsoleClient, type Service } from "./console-client.ts";

/** Things of the paper world, by the names that parameters have. */
export type KnownThings = {
  readonly token_id: string;
  readonly condition_id: string;
  readonly ticker: string;
  readonly wallet: string;
};

const first = async (console: ConsoleClient, agentId: number, params: Record<string, string>, field: string) => {
  const rows = await console.ask(agentId, params, 1);
  const found = rows[0]?.[field];
  if (typeof found !== "string" || found === "")
    throw new Error(`${agentId} has no ${field} in ${JSON.stringify(rows)}`);
  return found;
};

/** A market, a token, a wallet and a ticker that have traded, as the service answers them. */
export async function findThings(service: Service): Promise<KnownThings> {
  const console = await openConsole(service, service.admin);
  const [trade] = await console.ask(556, {}, 1);
  const text = (field: string): string => String(trade?.[field]);
  return {
    token_id: text("token_id"),
    condition_id: text("condition_id"),
    wallet: text("proxy_wallet"),
    ticker: await first(console, 573, { start_time: "2020-01-01" }, "ticker"),
  };
}
