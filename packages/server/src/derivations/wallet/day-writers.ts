import { RowWriter } from "../../definition/row-writer.ts";

/** Writers of the rows of wallets' days, each of its table. */
export type DayWriters = {
  readonly tokenDays: RowWriter;
  readonly conditionDays: RowWriter;
  readonly walletDays: RowWriter;
  /** A token (decimal text) as 256 bits in little-endian order. */
  readonly token: (text: string) => Buffer;
};

export function createDayWriters(): DayWriters {
  const tokens = new Map<string, Buffer>();
  return {
    tokenDays: new RowWriter(),
    conditionDays: new RowWriter(),
    walletDays: new RowWriter(),
    token: (text) => {
      let bytes = tokens.get(text);
      if (bytes === undefined) tokens.set(text, (bytes = littleEndian(BigInt(text))));
      return bytes;
    },
  };
}

function littleEndian(number: bigint): Buffer {
  const bytes = Buffer.alloc(32);
  for (let word = 0; word < 4; word += 1)
    bytes.writeBigUInt64LE(BigInt.asUintN(64, number >> BigInt(word * 64)), word * 8);
  return bytes;
}
