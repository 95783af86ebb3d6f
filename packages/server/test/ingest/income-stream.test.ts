import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { polymarketIncomeStream } from "../../src/connectors/polymarket/income.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { createCoverage } from "../../src/ingest/coverage/coverage.ts";
import { startIngest } from "../../src/ingest/schedule.ts";
import { walletDays } from "../../src/tables/wallet-days.ts";
import { ANNA, BEN, CORA } from "../fixtures/wallet-names.ts";
import { walletDay } from "../fixtures/wallet-day-rows.ts";
import { openEngines } from "./open-engines.ts";
import { withoutWaits } from "./clocks.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const credit = (proxy_wallet: string, usdc_size: unknown) => ({
  proxy_wallet,
  usdc_size,
  type: "MAKER_REBATE",
  timestamp: NOW / 1000 - 60,
  transaction_hash: `0x${"7".padStart(64, "0")}`,
});

const requested: string[] = [];
const server = createServer((request, response) => {
  const user = new URL(request.url ?? "", "http://venue").searchParams.get("user") ?? "";
  requested.push(user);
  const data = [credit(user, 1.5), credit(user, user === BEN ? { changed: true } : 2)];
  const pagination = { limit: 1000, offset: 0, has_more: false, next_cursor: null };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ data, pagination }));
});

let engines: Awaited<ReturnType<typeof openEngines>>;
let settings: Record<string, string>;
beforeAll(async () => {
  engines = await openEngines();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  settings = { POLYMARKET_DATA_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  await engines.store.insert(walletDays, [
    walletDay(ANNA, "2026-11-19", { bought_usd: "500", maker_usd: "0" }),
    walletDay(BEN, "2026-11-19", { bought_usd: "5", maker_usd: "1" }),
    walletDay(CORA, "2026-11-19", { bought_usd: "400" }),
    // High volume, but too long ago.
    walletDay(CORA, "2026-09-19", { bought_usd: "9000" }),
  ]);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await engines.close();
});

const read = (text: string): Promise<readonly Record<string, unknown>[]> => engines.store.rows(fromDefinition(text));

describe("the income stream in the service", () => {
  it("requests the wallets of highest priority, keeps what it can read and parks the rest", async () => {
    const ingest = startIngest({
      connectors: [polymarketIncomeStream],
      derivations: [],
      ...engines,
      settings,
      metrics: new Registry(),
      clock: systemClock,
      venueNow: () => NOW,
      known: { incomeWallets: 2 },
      signal: new AbortController().signal,
    });
    await expect.poll(async () => (await ingest.status()).streams[0]?.state, { timeout: 120_000 }).toBe("caught_up");
    await ingest.stop();
    expect(requested).toEqual([BEN, ANNA]);
    const wallet = "concat('0x', lower(hex(wallet))) AS wallet";
    expect(
      await read(`SELECT ${wallet}, toString(amount_usd) AS usd FROM polymarket_income ORDER BY wallet, usd`),
    ).toEqual([
      { wallet: ANNA, usd: "1.5" },
      { wallet: ANNA, usd: "2" },
      { wallet: BEN, usd: "1.5" },
    ]);
    const checks = `SELECT ${wallet}, toString(checked_at) AS checked FROM polymarket_income_wallets FINAL ORDER BY wallet`;
    expect(await read(checks)).toEqual([
      { wallet: ANNA, checked: "2026-11-20 12:00:00" },
      { wallet: BEN, checked: null },
    ]);
    const parked = await engines.db.selectFrom("parked").select(["stream", "refused"]).execute();
    expect(parked).toMatchObject([{ stream: "polymarket-income", refused: [{ key: { wallet: BEN } }] }]);
  });

  it("is not part of coverage: answers do not depend on wallets that no client requested", async () => {
    const clock = withoutWaits(() => NOW);
    const coverageOf = createCoverage({ connectors: [polymarketIncomeStream], derivations: [], db: engines.db, clock });
    expect(await coverageOf(["polymarket_income", "polymarket_income_wallets"], {})).toMatchObject({
      complete: true,
      reasons: [],
      gaps: [],
    });
  });

  it("stays off without a Data API", async () => {
    const ingest = startIngest({
      connectors: [polymarketIncomeStream],
      derivations: [],
      ...engines,
      settings: {},
      metrics: new Registry(),
      clock: systemClock,
      signal: new AbortController().signal,
    });
    const { streams } = await ingest.status();
    await ingest.stop();
    expect(streams).toMatchObject([{ name: "polymarket-income", state: "off" }]);
  });
});
