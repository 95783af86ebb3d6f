import { createHash } from "node:crypto";

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
