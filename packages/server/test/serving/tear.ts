const PAGE = 4096;
const SECTOR = 512;

export type Torn = { readonly bytes: Buffer; readonly how: string };

/** Header size of SQLite's b-tree pages by page type (their first byte); the cell pointer array follows. */
const HEAD_BYTES: ReadonlyMap<number, number> = new Map([
  [2, 12],
  [5, 12],
  [10, 8],
  [13, 8],
]);
const FILE_HEAD_BYTES = 100;

/**
 * A file as a broken write leaves it: bits, bytes, sectors or pages differ, or its end is missing. Changed bits and
 * bytes never lie in a page's header or list of entries, where a lost entry may go unnoticed (docs/serving.md).
 */
export function tear(whole: Buffer, below: (count: number) => number): Torn {
  const bytes = Buffer.from(whole);
  const page = below(Math.ceil(whole.length / PAGE)) * PAGE;
  const outsideLists = (length: number): number => {
    for (;;) {
      const at = below(bytes.length);
      if (!touchesList(whole, at, at + length)) return at;
    }
  };
  const noise = (from: number, length: number): void => {
    for (let at = from; at < Math.min(bytes.length, from + length); at += 1) bytes[at] = below(256);
  };
  const ways: Readonly<Record<string, () => Buffer>> = {
    "a bit": () => {
      const at = outsideLists(1);
      bytes[at] = (bytes[at] as number) ^ (1 << below(8));
      return bytes;
    },
    bytes: () => {
      const length = 1 + below(SECTOR);
      noise(outsideLists(length), length);
      return bytes;
    },
    "sectors of zeros": () => bytes.fill(0, page, Math.min(bytes.length, page + SECTOR * (1 + below(PAGE / SECTOR)))),
    "a page": () => {
      noise(page, PAGE);
      return bytes;
    },
    "the end": () => bytes.subarray(0, below(bytes.length)),
  };
  const how = Object.keys(ways)[below(Object.keys(ways).length)] as string;
  return { bytes: (ways[how] as () => Buffer)(), how: `${how} at page ${page / PAGE}` };
}

/** Whether a range of bytes touches the header of a page or its list of entries. */
function touchesList(file: Buffer, from: number, to: number): boolean {
  for (let page = from - (from % PAGE); page < Math.min(to, file.length); page += PAGE) {
    const head = page + (page === 0 ? FILE_HEAD_BYTES : 0);
    const headBytes = HEAD_BYTES.get(file[head] as number);
    if (headBytes === undefined) continue;
    const listEnd = head + headBytes + 2 * file.readUInt16BE(head + 3);
    if (from < listEnd && to > head) return true;
  }
  return false;
}
