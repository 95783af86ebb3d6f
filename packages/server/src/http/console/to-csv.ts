type Cell = string | number | null;

/**
 * RFC 4180 with a line of headings. A text that a spreadsheet would run as a formula gets an apostrophe before it, as
 * OWASP advises; a number is written as it is.
 */
export function toCsv(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [headings, ...rows].map((row) => `${row.map(toField).join(",")}\r\n`).join("");
}

function toField(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = /^[\s\0]*[=+\-@\t\r\n|%]/u.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
