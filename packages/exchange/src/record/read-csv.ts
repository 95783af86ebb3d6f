import { readLines } from "./read-lines.ts";

/** Rows of a CSV file with a header, as objects of text. Fields may be quoted; none of the recordings has a line break in one. */
export async function* readCsv(file: string): AsyncGenerator<Record<string, string>> {
  let header: string[] | undefined;
  for await (const line of readLines(file)) {
    const fields = line.includes('"') ? quoted(line) : line.split(",");
    if (!header) header = fields;
    else yield Object.fromEntries(header.map((name, index) => [name, fields[index] ?? ""]));
  }
}

function quoted(line: string): string[] {
  const fields: string[] = [];
  for (const match of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    fields.push(match[1] === undefined ? (match[2] ?? "") : match[1].replaceAll('""', '"'));
  }
  return fields;
}
