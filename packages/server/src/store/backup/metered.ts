import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createHash } from "node:crypto";

/** Progress of a backup or a restore: number of a table's parts done. */
export type MoveProgress = {
  readonly phase: "backup" | "restore" | "compare";
  readonly table: string;
  readonly done: number;
  readonly of: number;
};

/** Rate limit of a transfer, and a callback for the bytes moved. */
export type Meter = {
  readonly bytesPerSecond?: number | undefined;
  readonly onBytes?: ((bytes: number) => void) | undefined;
};

/** Passes the bytes on, counted and slowed down to the rate limit. Ends when its source ends. */
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

/** Number of bytes that passed, and their SHA-256 (hex). */
export type Digest = { readonly bytes: number; readonly sha256: string };

/** Passes the bytes on; call `digest` once they have passed. */
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
