import { describe, expect, it } from "vitest";
import { activitySession } from "../../../src/connectors/polymarket/trades-rtds.ts";
import { polymarketTradesRtdsStream } from "../../../src/connectors/polymarket/trades-rtds.ts";
import { polymarketTokens } from "../../../src/tables/polymarket-tokens.ts";
import { absent, recordedJson } from "./recorded.ts";

const payload = {
  proxyWallet: "0x29bc82f761749E67fa00D62896bC6855097b683C",
  side: "BUY",
  asset: "112313203800236648856331212946197233566221210028691505424844865917309418995862",
  conditionId: "0x15b1225e863600684b5e8845490881dbf43c2201bf6f7844f7caaf9415e6ef01",
  size: 50.5,
  price: 0.49,
  timestamp: 1_766_038_581,
  slug: "eth-updown-15m-1766038500",
  outcome: "Up",
  outcomeIndex: 0,
  transactionHash: `0x${"ab".repeat(32)}`,
};
const message = (type: string, more: object = {}): string =>
  JSON.stringify({
    connection_id: "x",
    topic: "activity",
    type,
    timestamp: 1_766_038_581_067,
    payload: { ...payload, ...more },
  });

const named = {
  token_id: payload.asset,
  condition_id: payload.conditionId,
  outcome_index: 0,
  outcome: "Up",
  slug: payload.slug,
};

describe("RTDS", () => {
  it("subscribes to every type of the topic, and ignores greeting and heartbeat", () => {
    const session = activitySession();
    expect(session.subscribe(["activity"]).map((frame) => JSON.parse(frame) as unknown)).toEqual([
      { action: "subscribe", subscriptions: [{ topic: "activity", type: "*" }] },
    ]);
    expect(session.decode("", 0)).toEqual({ rows: [] });
    expect(polymarketTradesRtdsStream.isData?.("")).toBe(false);
  });

  it.each(["orders_matched", "trades"])(
    "stores the market that %s names but no fill, and reports the transaction as received",
    (type) => {
      expect(activitySession().decode(message(type), 0)).toEqual({
        rows: [{ table: polymarketTokens, rows: [named], mode: "if_absent" }],
        announced: [payload.transactionHash],
      });
    },
  );

  it.each([
    ["no JSON", "{"],
    ["another topic", JSON.stringify({ topic: "comments", type: "comment_created", payload: {} })],
    ["another type", message("trades_v2")],
    ["no transaction", message("trades", { transactionHash: undefined })],
    ["a size that is no number", message("trades", { size: "many" })],
    ["a size below zero", message("trades", { size: -1 })],
    ["an outcome index of two bytes", message("trades", { outcomeIndex: 256 })],
    ["the outcome index that the store uses for unknown", message("trades", { outcomeIndex: 255 })],
  ])("refuses a frame with %s", (_what, frame) => {
    expect(() => activitySession().decode(frame, 0)).toThrow();
  });

  it.skipIf(absent)(
    "reads the recorded message, except for its transaction hash, which was cut from the recording",
    () => {
      const recorded = recordedJson<{ payload: object }>("rtds/activity_orders_matched_2025-12-18.json");
      expect(() => activitySession().decode(JSON.stringify(recorded), 0)).toThrow(/transactionHash/);
      const whole = {
        ...recorded,
        payload: { ...recorded.payload, slug: "s", outcomeIndex: 0, transactionHash: payload.transactionHash },
      };
      expect(activitySession().decode(JSON.stringify(whole), 0).rows).toMatchObject([{ rows: [{ slug: "s" }] }]);
    },
  );
});
