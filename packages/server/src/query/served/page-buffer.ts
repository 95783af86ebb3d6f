import { answerBuffers, lend } from "../buffer-pool.ts";
import { putText } from "./put-value.ts";

const FIRST_BYTES = 128 * 1024;

/**
 * The bytes of one page after the other, each in a buffer that is used again once its answer is written: memory that
 * only the garbage collector gives back has it go through the whole heap so much the sooner.
 */
export class PageBuffer {
  bytes: Buffer = Buffer.alloc(0);
  at = 0;

  begin(): void {
    this.bytes = answerBuffers.take(FIRST_BYTES);
    this.at = 0;
  }

  /** Makes room for so many bytes more; a page that outgrows its buffer goes on in another one. */
  reserve(more: number): void {
    if (this.at + more <= this.bytes.length) return;
    const grown = answerBuffers.take((this.at + more) * 2);
    this.bytes.copy(grown, 0, 0, this.at);
    answerBuffers.give(this.bytes);
    this.bytes = grown;
  }

  /** A short text of ASCII. */
  text(text: string): void {
    this.reserve(text.length);
    this.at = putText(this.bytes, this.at, text);
  }

  end(): Buffer {
    return lend(this.bytes, this.at);
  }
}

/** The bytes of a page that was made as text. */
export function bytesOfText(text: string): Buffer {
  const bytes = answerBuffers.take(Buffer.byteLength(text));
  return lend(bytes, bytes.write(text));
}
