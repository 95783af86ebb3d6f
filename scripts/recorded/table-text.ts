import type { StreamCount } from "./stream-count.ts";

const WIDTHS = [38, 8, 9, 9, 8, 9, 5, 8, 8] as const;

/** The heads of the columns and a line below them. */
export function tableTitles(): string {
  const titles = ["stream", "in", "unique in", "set aside", "stored", "answered", "lost", "doubled", "seconds"];
  return `${line(titles)}  note\n${line(WIDTHS.map((width) => "-".repeat(width)))}  ----`;
}

export function tableLine(count: StreamCount): string {
  const { stream, unique, setAside = 0, stored, answered, lost, doubled, seconds, note = "" } = count;
  const figures = [count.in, unique, setAside, stored, answered ?? "-", lost, doubled, seconds ?? ""];
  return `${line([stream, ...figures.map(String)])}  ${note}`.trimEnd();
}

function line(cells: readonly string[]): string {
  return cells.map((cell, at) => (at === 0 ? cell.padEnd(WIDTHS[0]) : cell.padStart(WIDTHS[at] ?? 0))).join("  ");
}
