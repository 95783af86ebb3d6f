const PAGE = 4096;
const SECTOR = 512;

export type Torn = { readonly bytes: Buffer; readonly how: string };

/** A file as a broken write leaves it: bits, bytes, sectors or pages of it are others, or its end is gone. */
export function tear(whole: Buffer, below: (count: number) => number): Torn {
  const bytes = Buffer.from(whole);
  const page = below(Math.ceil(whole.length / PAGE)) * PAGE;
  const noise = (from: number, length: number): void => {
    for (let at = from; at < Math.min(bytes.length, from + length); at += 1) bytes[at] = below(256);
  };
  const ways: Readonly<Record<string, () => Buffer>> = {
    "a bit": () => {
      const at = below(bytes.length);
      bytes[at] = (bytes[at] as number) ^ (1 << below(8));
      return bytes;
    },
    bytes: () => {
      noise(below(bytes.length), 1 + below(SECTOR));
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
