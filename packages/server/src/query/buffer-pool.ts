export type BufferPool = {
  /** Returns a buffer of at least this length; its contents are left over from earlier use. */
  readonly take: (length: number) => Buffer;
  /** Returns a buffer to the pool once it has no readers; the next user overwrites it. */
  readonly give: (buffer: Buffer) => void;
};

const SMALLEST = 16 * 1024;
const LARGEST = 1024 * 1024;

/**
 * Pools answer buffers: allocating one per answer costs ten times as much as filling it, and more garbage collection.
 * Lengths are powers of two; up to `maxBytes` are kept, and none longer than 1 MiB.
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

/** Buffers for the rows of answers, and for answers as they are sent. */
export const answerBuffers = openBufferPool(32 * 1024 * 1024);

const lent = new WeakMap<Buffer, Buffer>();

/**
 * Bytes written into a pooled buffer, which `release` returns to the pool; without it the garbage collector takes it.
 */
export function lend(whole: Buffer, length: number): Buffer {
  const bytes = whole.subarray(0, length);
  lent.set(bytes, whole);
  return bytes;
}

export const isLent = (bytes: Buffer): boolean => lent.has(bytes);

/** Marks bytes with several readers, none of which may return the buffer to the pool. */
export const share = (bytes: Buffer): void => void lent.delete(bytes);

/** Returns the buffer of possibly pooled bytes; call it as their only reader, after the last read. */
export function release(bytes: Buffer): void {
  const whole = lent.get(bytes);
  if (whole === undefined) return;
  lent.delete(bytes);
  answerBuffers.give(whole);
}
