/** 16 bytes of 0x-hex as a version 4 UUID. */
export function toUuid(hex: string): string {
  const h = hex.slice(2);
  const variant = "89ab"[Number.parseInt(h[16] ?? "0", 16) & 3];
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-${variant}${h.slice(17, 20)}-${h.slice(20, 32)}`;
}
