import { describe, expect, it } from "vitest";
import { sql } from "../../src/definition/sql.ts";
import { expectError } from "./expect-error.ts";
import { KNOWN } from "./rows-for.ts";
import type { Service } from "./service.ts";

export function promiseInternal(service: () => Service): void {
  describe("500: an internal failure", () => {
    it("does not reveal the cause, which is logged under the request id", async () => {
      const { store, ask, lines } = service();
      const question = { agent_id: 573, params: { ticker: KNOWN.ticker } };
      await store.run(
        sql`RENAME TABLE kalshi_trades TO kalshi_trades_away, kalshi_trades_by_ticker TO kalshi_trades_by_ticker_away`,
      );
      try {
        const error = await expectError(await ask(question), "INTERNAL");
        const line = lines.find((one) => one["request_id"] === error.request_id);
        expect(line).toMatchObject({ status: 500, agent_id: 573, code: "INTERNAL" });
        expect(JSON.stringify(line?.["err"])).toContain("kalshi_trades");
      } finally {
        await store.run(
          sql`RENAME TABLE kalshi_trades_away TO kalshi_trades, kalshi_trades_by_ticker_away TO kalshi_trades_by_ticker`,
        );
      }
      expect((await ask(question)).status).toBe(200);
    });
  });
}
