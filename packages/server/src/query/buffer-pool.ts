export type BufferPool = {
  /** A buffer of at least this length; what it holds is whatever it held before. */
  readonly take: (length: number) => Buffer;
  /** Gives one back, when nobody reads it any more: the next to take it writes over it. */
  readonly give: (buffer: Buffer) => void;
};

const SMALLEST = 16 * 1024;
const LARGEST = 1024 * 1024;

/**
 * Buffers of answers, used again. Making one for each answer costs ten times as much as filling it, and the garbage
 * collector more. Lengths are powers of two; up to `maxBytes` are kept, and none that is longer than 1 MiB.
 */
export function openBufferPool(maxBytes: number): BufferPool {
  const free = new Map<number, Buffer[]>();
  let kept = 0;
  return {
    take: (length) => {
      if (length > LARGEST) return Buffer.allocUnsafeSlow(length);
      const size = Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(Math.max(1, length))));
      const found = free.get(size)?.pop();
      if (found === undefined) return Buffer.allocUnsafeSlow(size);
      kept -= size;
      return found;
    },
    give: (buffer) => {
      const size = buffer.length;
      if (size > LARGEST || kept + size > maxBytes) return;
      const same = free.get(size);
      if (same === undefined) free.set(size, [buffer]);
      else same.push(buffer);
      kept += size;
    },
  };
}

/** Of the rows of answers, and of answers as they are sent. */
export const answerBuffers = openBufferPool(32 * 1024 * 1024);

const lent = new WeakMap<Buffer, Buffer>();

/** What was written into a buffer of answers, which goes back with `release`, or with the garbage where nobody does. */
export function lend(whole: Buffer, length: number): Buffer {
  const bytes = whole.subarray(0, length);
  lent.set(bytes, whole);
  return bytes;
}

export const isLent = (bytes: Buffer): boolean => lent.has(bytes);

/** Several read the bytes: they are given back by none of them. */
export const share = (bytes: Buffer): void => void lent.delete(bytes);

/** For the only reader of bytes that may have been lent, after the last look at them. */
export function release(bytes: Buffer): void {
  const whole = lent.get(bytes);
  if (whole === undefined) return;
  lent.delete(bytes);
  answerBuffers.give(whole);
}
