import type { Polled } from "./trade-poll.ts";

const ms = (age: number): string => (Number.isNaN(age) ? "–" : `${Math.round(age)} ms`);

/** The poll results as a table, a column per source, with examples of errors. */
export function printPolled(polled: readonly Polled[]): string {
  const lines: readonly (readonly [string, (of: Polled) => string])[] = [
    ["fills by the", ({ source }) => source],
    ["seconds", ({ seconds }) => String(seconds)],
    ["polls of the newest 400", ({ seen }) => String(seen.polls)],
    ["ids seen", ({ seen }) => String(seen.ids)],
    ["under two ids", ({ seen }) => String(seen.underTwoIds)],
    ["fields changed", ({ seen }) => String(seen.changed)],
    ["vanished", ({ seen }) => String(seen.vanished)],
    ["fills in truth", ({ tail }) => String(tail.truth)],
    ["tail client: rows", ({ tail }) => String(tail.answered)],
    ["  lost", ({ tail }) => String(tail.lost)],
    ["  doubled", ({ tail }) => String(tail.doubled)],
    ["  extra", ({ tail }) => String(tail.extra)],
    ["  wrong fields", ({ tail }) => String(tail.wrong)],
    ["ids lost to the chain", ({ lostToChain }) => (lostToChain === null ? "–" : String(lostToChain))],
    ["transactions timed", ({ transactions }) => String(transactions)],
    ["age since the match, p50", ({ freshness }) => ms(freshness.sinceMatch.p50)],
    ["  p99", ({ freshness }) => ms(freshness.sinceMatch.p99)],
    ["age since the block, p50", ({ freshness }) => ms(freshness.sinceBlock.p50)],
    ["  p99", ({ freshness }) => ms(freshness.sinceBlock.p99)],
  ];
  const table = lines.map(([name, of]) => name.padEnd(26) + polled.map((one) => of(one).padStart(12)).join(""));
  const examples = polled.flatMap(({ source, seen, tail }) =>
    [...seen.examples, ...tail.examples].map((text) => `${source}: ${text}`),
  );
  const end = polled.every(({ isGood }) => isGood) ? "a trade has one id" : "NOT every trade has one id";
  return [...table, "", ...examples, end].join("\n");
}
