import type { Hex } from "viem";
import { decodeEventLog, toEventSelector } from "viem/utils";
import { describe, expect, test } from "vitest";
import type { ChainLog } from "../../src/world/chain-contract.ts";
import {
  conditionalTokensAbi,
  exchangeV1Abi,
  exchangeV2Abi,
  negRiskAdapterAbi,
} from "../../src/polymarket/chain/events.ts";
import { logTopics, wireLog } from "../../src/polymarket/chain/wire-log.ts";
import { recorded, recordedAbsent } from "./recorded.ts";

interface RecordedLog {
  address: string;
  event: string;
  topics: [Hex, ...Hex[]];
  data: Hex;
  verbatim: boolean;
  decoded?: Record<string, string | number>;
}

describe("topics", () => {
  // Reference polymarket.md §8.2: computed there from the published ABIs.
  const published: Record<string, Record<string, string>> = {
    V2: {
      OrderFilled: "0xd543adfd945773f1a62f74f0ee55a5e3b9b1a28262980ba90b1a89f2ea84d8ee",
      OrdersMatched: "0x174b3811690657c217184f89418266767c87e4805d09680c39fc9c031c0cab7c",
      FeeCharged: "0x55bb3cade9d43b798a4fe5ffdd05024b2d7870df53920673bfc7e68047cd0ab1",
    },
    V1: {
      OrderFilled: "0xd0a08e8c493f9c94f29311604c9de1b4e8c8d4c06bd0c789af57f2d65bfec0f6",
      OrdersMatched: "0x63bf4d16b7fa898ef4c4b2b6d90fd201e9c56313b65638af6088d149d2ce956c",
      FeeCharged: "0xacffcc86834d0f1a64b0d5a675798deed6ff0bcfc2231edd3480e7288dba7ff4",
    },
    ctf: {
      ConditionPreparation: "0xab3760c3bd2bb38b5bcf54dc79802ed67338b4cf29f3054ded67ed24661e4177",
      ConditionResolution: "0xb44d84d3289691f71497564b85d4233648d9dbae8cbdbb4329f301c3a0185894",
      PositionSplit: "0x2e6bb91f8cbcda0c93623c54d0403a43514fabc40084ec96b6d5379a74786298",
      PositionsMerge: "0x6f13ca62553fcc2bcd2372180a43949c1e4cebba603901ede2f4e14f36b282ca",
      PayoutRedemption: "0x2682012a4a4f1973119f1c9b90745d1bd91fa2bab387344f044cb3586864d18d",
      TransferSingle: "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62",
      TransferBatch: "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb",
    },
    adapter: {
      PositionSplit: "0xbbed930dbfb7907ae2d60ddf78345610214f26419a0128df39b6cc3d9e5df9b0",
      PositionsMerge: "0xba33ac50d8894676597e6e35dc09cff59854708b642cd069d21eb9c7ca072a04",
      PositionsConverted: "0xb03d19dddbc72a87e735ff0ea3b57bef133ebe44e1894284916a84044deb367e",
      PayoutRedemption: "0x9140a6a270ef945260c03894b3c6b3b2695e9d5101feef0ff24fec960cfd3224",
      MarketPrepared: "0xf059ab16d1ca60e123eab60e3c02b68faf060347c701a5d14885a8e1def7b3a8",
      QuestionPrepared: "0xaac410f87d423a922a7b226ac68f0c2eaf5bf6d15e644ac0758c7f96e2c253f7",
      OutcomeReported: "0x9e9fa7fd355160bd4cd3f22d4333519354beff1f5689bde87f2c5e63d8d484b2",
    },
  };
  const abis = { V2: exchangeV2Abi, V1: exchangeV1Abi, ctf: conditionalTokensAbi, adapter: negRiskAdapterAbi };

  test.each(Object.entries(abis))("of %s match the published ones", (name, abi) => {
    const selectors = Object.fromEntries(abi.map((event) => [event.name, toEventSelector(event)]));
    expect(selectors).toEqual(published[name]);
  });
});

describe.skipIf(recordedAbsent !== false)("the recorded V2 mint transaction", () => {
  const { logs } =
    recordedAbsent === false
      ? recorded<{ logs: RecordedLog[] }>("onchain/v2_mint_match_tx_0x03beb7ad.json")
      : { logs: [] };
  const decode = ({ topics, data }: RecordedLog) =>
    decodeEventLog({ abi: [...exchangeV2Abi, ...conditionalTokensAbi], topics, data, strict: true });

  test("has verbatim logs that decode with our ABI", () => {
    const verbatim = logs.filter((log) => log.verbatim);
    expect(verbatim.map((log) => log.event)).toEqual(["TransferBatch", "TransferSingle", "FeeCharged"]);
    const [batch, single, fee] = verbatim.map(decode);
    expect(batch).toMatchObject({ eventName: "TransferBatch", args: { values: [6493505n, 6493505n] } });
    expect(single).toMatchObject({ eventName: "TransferSingle", args: { value: 6493505n } });
    expect(fee).toMatchObject({ eventName: "FeeCharged", args: { amount: 96870n } });
  });

  test("has an OrderFilled log that decodes to the recorded values", () => {
    const filled = logs.find((log) => log.event === "OrderFilled");
    if (filled === undefined) throw new Error("no OrderFilled in the recording");
    const { args } = decode(filled);
    expect(args).toMatchObject({
      side: Number(filled.decoded?.["side"]),
      tokenId: BigInt(filled.decoded?.["tokenId"] ?? 0),
      makerAmountFilled: 4493506n,
      takerAmountFilled: 6493505n,
      fee: 0n,
    });
  });

  test("has logs that decode and re-encode to the recorded bytes", () => {
    for (const log of logs.filter((each) => ["OrderFilled", "OrdersMatched", "FeeCharged"].includes(each.event))) {
      const { eventName, args } = decode(log);
      const again = {
        contract: "exchange",
        address: log.address.toLowerCase(),
        event: eventName,
        exchange_version: "V2",
        args,
        tx_hash: "0x00",
        tx_index: 0,
        block_number: 1,
        log_index: 0,
      } as unknown as ChainLog;
      const topics = logTopics(again);
      expect(topics).toEqual(log.topics);
      expect(wireLog(again, topics, { hash: "0x00", timestamp: 0 }).data).toBe(log.data);
    }
  });
});
