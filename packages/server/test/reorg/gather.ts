import { polymarketTradesChainStream } from "../../src/connectors/polymarket/trades-chain.ts";
import type { Cursor, Feed } from "../../src/definition/connector.ts";
import { polymarketCandlesFromFills } from "../../src/derivations/polymarket-candles.ts";
import { systemClock, type Clock } from "../../src/ingest/clock.ts";
import { saveBatch } from "../../src/ingest/control/save-batch.ts";
import { createDeriver } from "../../src/ingest/derive.ts";
import { createStoredFills } from "../../src/ingest/stored-fills.ts";
import { createUndo } from "../../src/ingest/undo.ts";
import { createWrite } from "../../src/ingest/write.ts";
import { pullOptions } from "../connectors/polymarket/memory-feed.ts";
import type { openEngines } from "../ingest/open-engines.ts";
import type { PlayChain } from "./play-chain.ts";
import { noListening } from "../fixtures/no-listening.ts";

type Engines = Awaited<ReturnType<typeof openEngines>>;
type Range = { readonly from: string; readonly to: string };

/** Reads a chain into a real store as ingest does, one cycle at a time and without waiting. */
export function gather(engines: Engines, options: { onSwap?: () => Promise<void>; onCall?: () => void } = {}) {
  const clock: Clock = { ...systemClock, sleep: async () => options.onSwap?.() };
  const deriver = createDeriver({ ...engines, derivations: [polymarketCandlesFromFills], clock });
  const write = createWrite({ ...engines, deriver, announceKnown: false });
  const { name, pull } = polymarketTradesChainStream;
  const signal = new AbortController().signal;
  const storedFills = createStoredFills(engines.store, engines.db);
  let cursor: Cursor | undefined;
  const walk = async (chain: PlayChain, range?: Range): Promise<void> => {
    const undo = createUndo({ stream: name, ...(range && { range }) }, { ...engines, clock, signal });
    const feed = feedOf(chain, () => options.onCall?.());
    const walked = pull(
      pullOptions(feed, { storedFills, now: () => chain.headMs, ...(range ? { range } : { cursor }) }),
    );
    for await (const batch of walked) {
      for (const rows of batch.rows) await write(name, rows, undo);
      if (range === undefined) {
        await saveBatch(engines.db, name, batch, 0, new Date());
        cursor = batch.cursor;
      }
      if (batch.isCaughtUp) return;
    }
  };
  return {
    deriver,
    cursor: () => cursor,
    turn: (chain: PlayChain) => walk(chain),
    backfill: (chain: PlayChain, range: Range) => walk(chain, range),
  };
}

const none = async (): Promise<undefined> => undefined;

function feedOf(chain: PlayChain, onCall: () => void): Feed {
  return {
    get: none,
    post: none,
    listen: noListening,
    rpc: async (method, params, reply) => {
      onCall();
      return reply.parse(chain.answer(method, params));
    },
  };
}
