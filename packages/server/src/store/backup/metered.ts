import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createHash } from "node:crypto";

/** Where a backup or a restore is: so many of a table's parts are done. */
export type MoveProgress = {
  readonly phase: "backup" | "restore" | "compare";
  readonly table: string;
  readonly done: number;
  readonly of: number;
};

/** What a transfer has moved, and how fast it may go. */
export type Meter = {
  readonly bytesPerSecond?: number | undefined;
  readonly onBytes?: ((bytes: number) => void) | undefined;
};

/** The same bytes, counted, and held back where they come faster than they may. Ends as its source ends. */
export function metered(source: AsyncIterable<Uint8Array>, meter: Meter): Readable {
  return Readable.from(counted(source, meter), { objectMode: false });
}

async function* counted(
  source: AsyncIterable<Uint8Array>,
  { bytesPerSecond, onBytes }: Meter,
): AsyncGenerator<Uint8Array> {
  const began = performance.now();
  let passed = 0;
  for await (const chunk of source) {
    passed += chunk.length;
    onBytes?.(chunk.length);
    if (bytesPerSecond !== undefined) {
      const aheadMs = (passed / bytesPerSecond) * 1000 - (performance.now() - began);
      if (aheadMs > 1) await sleep(aheadMs);
    }
    yield chunk;
  }
}

/** How many bytes went by, and their SHA-256 (hex). */
export type Digest = { readonly bytes: number; readonly sha256: string };

/** The same bytes; `digest` tells of them once they have gone by. */
export function digested(source: AsyncIterable<Uint8Array>): {
  readonly bytes: AsyncGenerator<Uint8Array>;
  readonly digest: () => Digest;
} {
  const hash = createHash("sha256");
  let count = 0;
  const flow = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      hash.update(chunk);
      count += chunk.length;
      yield chunk;
    }
  };
  return { bytes: flow(), digest: () => ({ bytes: count, sha256: hash.copy().digest("hex") }) };
}
