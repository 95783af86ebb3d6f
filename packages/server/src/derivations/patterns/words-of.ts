/** Bytes as words of 32 bits, where they lie; of those that begin between two words a copy. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  const whole = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Uint32Array(whole.buffer, whole.byteOffset, whole.length / 4);
}
