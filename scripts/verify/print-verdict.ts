import type { Verdict } from "./verify-world.ts";
import { isAgreed } from "./tally.ts";

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
