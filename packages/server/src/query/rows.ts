const NEWLINE = 0x0a;
const COMMA = 0x2c;

export type Lines = { readonly count: number; readonly at: (index: number) => Buffer };

/** One row a line, as the engine prints them. Newlines inside values are escaped, so every newline ends a row. */
export function toLines(bytes: Buffer): Lines {
  const ends: number[] = [];
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) ends.push(at);
  return {
    count: ends.length,
    at: (index) => bytes.subarray(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, ends[index]),
  };
}

/** The first `keep` rows, one a line, in the order given or the reverse. */
export function toText(bytes: Buffer, lines: Lines, keep: number, isReversed: boolean): Buffer {
  if (keep === 0) return Buffer.alloc(0);
  if (!isReversed) return bytes.subarray(0, endOf(bytes, lines.at(keep - 1)) + 1);
  const parts: Buffer[] = [];
  for (let index = keep - 1; index >= 0; index -= 1) parts.push(lines.at(index), Buffer.from("\n"));
  return Buffer.concat(parts);
}

/** The first `keep` rows as a JSON array; the bytes are not parsed. */
export function toArray(bytes: Buffer, lines: Lines, keep: number, isReversed: boolean): Buffer {
  if (keep === 0) return Buffer.from("[]");
  const text = toText(bytes, lines, keep, isReversed);
  const array = Buffer.allocUnsafe(text.length + 1);
  array[0] = 0x5b;
  text.copy(array, 1);
  for (let at = array.indexOf(NEWLINE); at !== -1; at = array.indexOf(NEWLINE, at + 1)) array[at] = COMMA;
  array[text.length] = 0x5d;
  return array;
}

function endOf(bytes: Buffer, line: Buffer): number {
  return line.byteOffset - bytes.byteOffset + line.length;
}
