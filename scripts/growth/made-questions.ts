import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import { busiestWallets, madeSample, type MadeIds, type MadeScale } from "./made-fills.ts";
import type { PageQuestion } from "./page-costs.ts";

const SAMPLE = 500;
const BUSY = 100;
const SAMPLING = { settings: { max_execution_time: 120 } };
const DAY_MS = 86_400_000;

/** Pages of trades by every way into the table, of what the first so many fills have. */
export async function madeQuestions(
  store: OpenStore,
  scale: MadeScale,
  fills: number,
): Promise<readonly PageQuestion[]> {
  const ids = await store.rows<MadeIds>(madeSample(scale, fills, SAMPLE), SAMPLING);
  const busy = await store.rows<{ wallet: string }>(busiestWallets(BUSY), SAMPLING);
  const of = (name: keyof MadeIds, turn: number): string => ids[turn % ids.length]?.[name] ?? "";
  const day = (turn: number): Record<string, string> => {
    const start = Date.parse(of("day", turn));
    return { start_time: new Date(start).toISOString(), end_time: new Date(start + DAY_MS - 1_000).toISOString() };
  };
  return [
    asked("556 of a wallet", (turn) => ({ proxy_wallet: of("wallet", turn) })),
    asked("556 of one of the 100 busiest wallets", (turn) => ({ proxy_wallet: busy[turn % BUSY]?.wallet ?? "" })),
    asked("556 of a wallet, a day", (turn) => ({ proxy_wallet: of("wallet", turn), ...day(turn) })),
    asked("556 of a token", (turn) => ({ token_id: of("token", turn) })),
    asked("556 of a token, a day", (turn) => ({ token_id: of("token", turn), ...day(turn) })),
    asked("556 of a market", (turn) => ({ condition_id: of("condition", turn) })),
    asked("556 newest of all", (turn) => ({ min_usd: String(1 + turn) })),
    asked("556 newest of a past day", (turn) => ({ ...day(turn), min_usd: String(1 + turn) })),
  ];
}

const asked = (name: string, params: PageQuestion["params"]): PageQuestion => ({ name, agentId: 556, params });
