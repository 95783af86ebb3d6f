type Numbers = Uint8Array | Uint32Array | Float64Array;

/** Returns a copy with twice the capacity. */
export function grown<Array extends Numbers>(old: Array): Array {
  const Kind = old.constructor as new (length: number) => Array;
  const more = new Kind(old.length * 2);
  more.set(old);
  return more;
}
