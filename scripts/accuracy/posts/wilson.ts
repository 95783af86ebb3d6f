const Z = 1.96;

/** Wilson's 95 % interval of a share. */
export function wilson(part: number, of: number): readonly [number, number] {
  const share = part / of;
  const spread = Z * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of));
  const scale = 1 + (Z * Z) / of;
  const middle = share + (Z * Z) / (2 * of);
  return [(middle - spread) / scale, (middle + spread) / scale];
}
