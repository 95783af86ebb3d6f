import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openRedis, type OpenRedis } from "../../src/access/redis/open-redis.ts";
import { tables } from "../../src/catalogue.ts";
import { shareChanges } from "../../src/main/shared-changes.ts";
import { openStore, type OpenStore } from "../../src/store/open-store.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { fill, table } from "../fixtures/sample-rows.ts";
import { redisAbsence, startRedis, type TestRedis } from "./start-redis.ts";

const absence = redisAbsence();
const quiet = {
  log: { warn: () => undefined, info: () => undefined },
  metrics: { here: () => undefined, without: () => undefined },
};

describe.skipIf(absence !== undefined)(
  `rows stored by one process${absence === undefined ? "" : ` (${absence})`}`,
  () => {
    let redis: TestRedis;
    let own: OpenStore;
    let other: OpenStore;
    const connections: OpenRedis[] = [];
    beforeAll(async () => {
      redis = await startRedis();
      own = await openTestStore();
      other = await openStore({ address: own.address });
      for (const store of [own, other]) {
        const connection = await openRedis(redis.url, quiet);
        connections.push(connection);
        shareChanges(store, connection, tables);
      }
    });
    afterAll(async () => {
      for (const connection of connections) await connection.close();
      await other?.close();
      await own?.close();
      await redis?.stop();
    });

    const fills = table("polymarket_fills");

    test("invalidate the cached answers of another process, for that table only", async () => {
      const first = other.stampOf([fills]);
      let sent = 0;
      // Wait until both have subscribed.
      const received = async (): Promise<boolean> => {
        await own.insert(fills, [fill((sent += 1))]);
        return other.stampOf([fills]) !== first;
      };
      await expect.poll(received).toBe(true);
      const [before, trades] = [other.stampOf([fills]), other.stampOf([table("kalshi_trades")])];
      await own.insert(fills, [fill((sent += 1))]);
      await expect.poll(() => other.stampOf([fills]) !== before).toBe(true);
      expect(other.stampOf([table("kalshi_trades")])).toBe(trades);
      expect((await own.insert(fills, [fill(sent)])).stored).toBe(0);
    });

    test("are announced rarely if stored often, and the last change is announced", async () => {
      let received = 0;
      connections[1]?.listen("almanac:stored:polymarket_fills", () => void (received += 1));
      await sleep(200);
      received = 0;
      for (let turn = 0; turn < 200; turn += 1) own.changed(fills);
      await expect.poll(() => received).toBe(2);
      await sleep(300);
      expect(received).toBe(2);
    });

    test("are announced soon also after the clock was set back", async () => {
      let received = 0;
      connections[1]?.listen("almanac:stored:polymarket_markets", () => void (received += 1));
      await sleep(200);
      own.changed(table("polymarket_markets"));
      await expect.poll(() => received).toBe(1);
      const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() - 3_600_000);
      own.changed(table("polymarket_markets"));
      await expect.poll(() => received).toBe(2);
      clock.mockRestore();
    });

    test("are missed while Redis is down, and everything is invalidated when it is back", async () => {
      await redis.down();
      own.changed(fills);
      const missed = other.stampOf([fills]);
      await redis.up();
      await expect.poll(() => other.stampOf([fills]) !== missed).toBe(true);
    });
  },
);
