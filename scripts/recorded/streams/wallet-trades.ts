import { readWalletTrades } from "../../../packages/exchange/src/record/wallet-trades.ts";
import { polymarketTradesDataStream } from "../../../packages/server/src/connectors/polymarket/trades-data.ts";
import type { Call, Feed } from "../../../packages/server/src/definition/connector.ts";
import { bind, sql } from "../../../packages/server/src/definition/sql.ts";
import { polymarketFills } from "../../../packages/server/src/tables/polymarket-fills.ts";
import { answerAll, type AnsweredRow } from "../answer-all.ts";
import { countRows } from "../count-rows.ts";
import { countFills } from "../fill-tally.ts";
import type { House } from "../open-house.ts";
import { readTokens } from "../read-tokens.ts";
import { runTurns } from "../run-turns.ts";
import type { StreamCount } from "../stream-count.ts";

const PAGE_ROWS = 10_000;
const AT_A_TIME = 10;

/**
 * 2,703 trades of 83 wallets over Data API v2; the connector's questions are narrowed to a wallet, as they were
 * recorded. `most` wallets where a part is enough.
 */
export async function walletTrades(house: House, most = Number.POSITIVE_INFINITY): Promise<readonly StreamCount[]> {
  const byWallet = new Map([...(await readWalletTrades(house.dir))].slice(0, most));
  const wallets = [...byWallet.keys()];
  for (let at = 0; at < wallets.length; at += AT_A_TIME) {
    await Promise.all(wallets.slice(at, at + AT_A_TIME).map((wallet) => gather(house, wallet)));
  }
  await readTokens(house.store);
  const counted = await countFills(recorded(byWallet), answered(house, wallets), false);
  const mine = bind("Array(String)", wallets);
  const stored = await countRows(
    house,
    polymarketFills,
    sql`source = 'data_api_v2' AND concat('0x', lower(hex(wallet))) IN (${mine})`,
  );
  return [{ stream: "Data API v2 trades, by wallet", stored, note: `${wallets.length} wallets`, ...counted }];
}

function gather(house: House, wallet: string): Promise<unknown> {
  const narrow = (feed: Feed): Feed => only(feed, wallet);
  return runTurns(house, polymarketTradesDataStream, { turns: 2, label: wallet, narrow });
}

function only(feed: Feed, wallet: string): Feed {
  const narrowed = (call: Call): Call =>
    call.path === "/v2/trades" ? { ...call, query: [...(call.query ?? []), ["user", wallet]] } : call;
  return { ...feed, get: (call, reply) => feed.get(narrowed(call), reply) };
}

async function* recorded(byWallet: Awaited<ReturnType<typeof readWalletTrades>>) {
  for (const trade of [...byWallet.values()].flat()) {
    yield {
      transaction: trade.transaction_hash,
      wallet: trade.proxy_wallet,
      token: trade.token_id,
      side: trade.side,
      size: trade.size,
      price: trade.price,
      seconds: trade.timestamp,
      condition: trade.condition_id,
      outcome: trade.outcome,
      slug: trade.slug,
    };
  }
}

async function* answered(house: House, wallets: readonly string[]): AsyncGenerator<AnsweredRow, void, void> {
  for (const wallet of wallets) yield* answerAll(house, 556, { proxy_wallet: wallet }, PAGE_ROWS);
}
