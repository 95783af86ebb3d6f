import type { Verdict } from "./verify-world.ts";
import { isAgreed } from "./tally.ts";
import type { Polled } from "./poll/trade-poll.ts";

const HEAD = ["stream", "truth", "stored", "answered", "lost", "doubled", "extra", "wrong fields"];

/** The verdict as a table, with examples of differences. */
export function printVerdict({ tallies, problems, isAgreed: agreed, seconds }: Verdict): string {
  const rows = tallies.map((tally) => [
    tally.stream,
    ...[tally.truth, tally.stored, tally.answered, tally.lost, tally.doubled, tally.extra, tally.wrong].map(String),
  ]);
  const widths = HEAD.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ");
  const examples = tallies
    .filter((tally) => !isAgreed(tally))
    .flatMap(({ stream, examples: found }) => [`${stream}:`].concat(found.map((text) => `  ${text}`)));
  const end = `${agreed ? "everything agrees" : "NOT everything agrees"} (${seconds.toFixed(1)} s)`;
  return [line(HEAD), ...rows.map(line), "", ...examples, ...problems, end].join("\n");
}

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
