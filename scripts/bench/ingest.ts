import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { tables } from "../../packages/server/src/catalogue.ts";
import { MIGRATIONS } from "../../packages/server/src/main/open-engines.ts";
import { polymarketFills } from "../../packages/server/src/tables/polymarket-fills.ts";
import { migrate } from "../../packages/server/src/store/migrate.ts";
import { openStore } from "../../packages/server/src/store/open-store.ts";

const TOTAL = 200_000;

const hex = (bytes: number): string => `0x${randomBytes(bytes).toString("hex")}`;

function makeFills(count: number, wallets: readonly string[], tokens: readonly string[], start: number) {
  return Array.from({ length: count }, (_, index) => ({
    ts: start + Math.floor(index / 40),
    tx_hash: hex(32),
    order_hash: hex(32),
    wallet: wallets[index % wallets.length],
    token_id: tokens[(index * 31) % tokens.length],
    side: index % 2 === 0 ? "BUY" : "SELL",
    role: index % 2 === 0 ? "maker" : "taker",
    match_kind: "complementary",
    shares: "10.5",
    usd: "5.25",
    fee_usd: "0",
    block_number: 1 + index,
    log_index: index % 500,
    source: "chain_v2",
  }));
}

/** Rows per second into the store by batch size: parsed, compared with stored rows, written in three sort orders. */
export async function benchIngest(): Promise<void> {
  const wallets = Array.from({ length: 5000 }, () => hex(20));
  const tokens = Array.from({ length: 2000 }, () => BigInt(hex(32)).toString());
  for (const size of [100, 1000, 10_000, 50_000]) {
    const folder = mkdtempSync(join(tmpdir(), "almanac-bench-"));
    const store = await openStore({ folder });
    await migrate(store, MIGRATIONS, tables);
    const batches = Math.min(200, TOTAL / size);
    const made = Array.from({ length: batches }, (_, index) =>
      makeFills(size, wallets, tokens, 1_760_000_000 + index * 3000),
    );
    const started = performance.now();
    for (const rows of made) await store.insert(polymarketFills, rows);
    const seconds = (performance.now() - started) / 1000;
    process.stdout.write(
      `batches of ${String(size).padStart(6)}: ${Math.round((size * batches) / seconds)
        .toLocaleString("en")
        .padStart(9)} rows/s, ${((seconds * 1000) / batches).toFixed(1)} ms a batch\n`,
    );
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
