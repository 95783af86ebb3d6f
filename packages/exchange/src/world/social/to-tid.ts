const LETTERS = "234567abcdefghijklmnopqrstuvwxyz";

/** A Bluesky record key: microseconds and ten bits of a clock id, thirteen letters that sort by time. */
export function toTid(us: number, clock: number): string {
  let left = (BigInt(us) << 10n) | BigInt(clock & 1023);
  let text = "";
  for (let place = 0; place < 13; place += 1) {
    text = LETTERS[Number(left & 31n)] + text;
    left >>= 5n;
  }
  return text;
}
