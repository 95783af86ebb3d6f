import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { showParts } from "../../src/main/derive/show-parts.ts";

test("without a terminal, prints a line a minute per part and one at its end, but no end for an aborted part", () => {
  let now = 0;
  const stream = new PassThrough();
  const { show, stop } = showParts(stream, () => now);
  show({ what: "wallet-days", share: 0, done: "" });
  now = 59_000;
  show({ what: "wallet-days", share: 0.2, done: "1 keys" });
  show({ what: "token-days", share: 1, done: "all", isOver: true });
  now = 61_000;
  show({ what: "wallet-days", share: 0.836, done: "2 keys" });
  show({ what: "wallet-days", share: 0.85, done: "3 keys" });
  stop();
  expect(String(stream.read())).toBe("token-days 100% | all\nwallet-days 83% | 2 keys\n");
});
