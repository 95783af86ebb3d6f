import { putText } from "./put-value.ts";

const SLAB_BYTES = 1_048_576;

/**
 * The bytes of one page after the other, side by side in slabs: a buffer of its own for every answer costs more than
 * filling it. A slab lasts as long as one of its pages is held.
 */
export class PageBuffer {
  bytes: Buffer = Buffer.alloc(0);
  at = 0;
  #start = 0;

  begin(): void {
    this.#start = this.at;
  }

  /** Makes room for so many bytes more; a page that outgrows its slab goes on in another one. */
  reserve(more: number): void {
    if (this.at + more <= this.bytes.length) return;
    const written = this.at - this.#start;
    const grown = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, (written + more) * 2));
    this.bytes.copy(grown, 0, this.#start, this.at);
    this.bytes = grown;
    this.#start = 0;
    this.at = written;
  }

  /** A short text of ASCII. */
  text(text: string): void {
    this.reserve(text.length);
    this.at = putText(this.bytes, this.at, text);
  }

  end(): Buffer {
    return this.bytes.subarray(this.#start, this.at);
  }
}
