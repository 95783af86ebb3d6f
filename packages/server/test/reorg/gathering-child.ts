import { Registry } from "prom-client";
import pino from "pino";
import { systemClock } from "../../src/ingest/clock.ts";
import { startIngest } from "../../src/ingest/schedule.ts";
import { openRecords } from "../../src/records/records.ts";
import { openStore } from "../../src/store/open-store.ts";
import { polymarketCandlesFromFills } from "../../src/derivations/polymarket-candles.ts";
import { quickChainStream } from "./quick-chain-stream.ts";

/** A process that gathers a chain until it is killed: `node gathering-child.ts RECORDS_FOLDER ADDRESS_JSON RPC_URL`. */
const [, , folder = "", address = "", url = ""] = process.argv;
const store = await openStore({ address: JSON.parse(address) as never });
const records = await openRecords({ dataDir: folder });
startIngest({
  store,
  records,
  log: pino({ level: process.env["TEST_LOG"] ?? "silent" }),
  connectors: [quickChainStream],
  derivations: [polymarketCandlesFromFills],
  settings: { POLYGON_RPC_URL: url },
  metrics: new Registry(),
  clock: systemClock,
  signal: new AbortController().signal,
});
