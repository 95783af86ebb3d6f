import { answerBuffers, lend } from "../buffer-pool.ts";
import { putText } from "./put-value.ts";

const FIRST_BYTES = 128 * 1024;

/**
 * Collects the bytes of one page at a time, in buffers reused once their answer is written: memory freed only by the
 * garbage collector makes it scan the whole heap more often.
 */
export class PageBuffer {
  bytes: Buffer = Buffer.alloc(0);
  at = 0;

  begin(): void {
    this.bytes = answerBuffers.take(FIRST_BYTES);
    this.at = 0;
  }

  /** Makes room for this many more bytes; a page that outgrows its buffer moves to a larger one. */
  reserve(more: number): void {
    if (this.at + more <= this.bytes.length) return;
    const grown = answerBuffers.take((this.at + more) * 2);
    this.bytes.copy(grown, 0, 0, this.at);
    answerBuffers.give(this.bytes);
    this.bytes = grown;
  }

  /** Appends a short ASCII text. */
  text(text: string): void {
    this.reserve(text.length);
    this.at = putText(this.bytes, this.at, text);
  }

  end(): Buffer {
    return lend(this.bytes, this.at);
  }
}

/** The bytes of a page that was built as text. */
export function bytesOfText(text: string): Buffer {
  const bytes = answerBuffers.take(Buffer.byteLength(text));
  return lend(bytes, bytes.write(text));
}
