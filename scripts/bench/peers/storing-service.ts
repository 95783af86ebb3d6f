// Almanac as a process that stores fills on request while it answers queries: see storing.ts.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { tables } from "../../../packages/server/src/catalogue.ts";
import { readConfig } from "../../../packages/server/src/config.ts";
import type { InsertRow } from "../../../packages/server/src/definition/table.ts";
import { createLog } from "../../../packages/server/src/log.ts";
import { openServing } from "../../../packages/server/src/main/serving.ts";

/** Message to the service: store this many fills a second from now on, among these ids; 0 removes all of them again. */
export type Storing = {
  readonly perSecond: number;
  readonly wallets: readonly string[];
  readonly tokens: readonly string[];
};
/** Message from the service for each stored batch: its block, and when (Unix ms) it was handed to the store. */
export type Stored = { readonly block: number; readonly began: number };

/** Beyond any block of a world. */
const FIRST_BLOCK = 4_000_000_000;
const config = readConfig();
const serving = await openServing(config, createLog(config.logLevel, process.stderr));
const { store: engine } = serving.service().engines;
const fills = tables.find(({ name }) => name === "polymarket_fills");
if (fills === undefined) throw new TypeError("there is no table of fills");
let [block, began, storing] = [FIRST_BLOCK, Date.now(), Promise.resolve()];
let reported: Storing = { perSecond: 0, wallets: [], tokens: [] };

const hex = (bytes: number): string => `0x${randomBytes(bytes).toString("hex")}`;
const one = (list: readonly string[]): string => list[Math.floor(Math.random() * list.length)] ?? "";

const rows = (): InsertRow[] =>
  Array.from({ length: reported.perSecond }, (_, index) => ({
    ts: Math.floor(Date.now() / 1000),
    tx_hash: hex(32),
    order_hash: hex(32),
    wallet: one(reported.wallets),
    token_id: one(reported.tokens),
    side: index % 2 === 0 ? "BUY" : "SELL",
    role: index % 2 === 0 ? "maker" : "taker",
    match_kind: "complementary",
    shares: "10.5",
    usd: "4.2",
    fee_usd: "0",
    block_number: block,
    log_index: index,
    source: "chain_v2",
  }));

async function store(): Promise<void> {
  began = Date.now();
  for (let next = began; reported.perSecond > 0; next += 1000) {
    block += 1;
    const handed = Date.now();
    await engine.insert(fills as NonNullable<typeof fills>, rows());
    process.send?.({ block, began: handed } satisfies Stored);
    await sleep(Math.max(0, next + 1000 - Date.now()));
  }
  const [since, until] = [began - 1000, Date.now() + 1000].map((ms) => new Date(ms).toISOString()) as [string, string];
  const scope = { from: FIRST_BLOCK, to: block, since, until };
  await engine.replace(fills as NonNullable<typeof fills>, [], { scope, before: async () => undefined });
}

process.on("message", (message: Storing) => {
  const isBegun = reported.perSecond > 0;
  reported = message;
  if (reported.perSecond > 0 && !isBegun) storing = store();
  if (reported.perSecond === 0) void storing.then(() => process.send?.("taken away"));
});
process.once("SIGTERM", () => {
  reported = { ...reported, perSecond: 0 };
  void storing.then(serving.close).then(() => process.exit(0));
});
process.stdout.write(`${JSON.stringify({ base_url: serving.baseUrl })}\n`);
