type Numbers = Uint8Array | Uint32Array | Float64Array;

/** A copy with as much room again. */
export function grown<Array extends Numbers>(old: Array): Array {
  const Kind = old.constructor as new (length: number) => Array;
  const more = new Kind(old.length * 2);
  more.set(old);
  return more;
}
