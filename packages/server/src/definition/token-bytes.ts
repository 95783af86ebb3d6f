const TOKEN_BYTES = 32;

/** A token (a 256-bit integer as decimal text) as 32 bytes, big-endian. */
export function bytesOfToken(token: string): Buffer {
  const hex = /^(0|[1-9]\d{0,77})$/.test(token) ? BigInt(token).toString(16) : "";
  if (hex === "" || hex.length > TOKEN_BYTES * 2) throw new TypeError(`${token} is not a token id`);
  return Buffer.from(hex.padStart(TOKEN_BYTES * 2, "0"), "hex");
}

export const tokenOfBytes = (bytes: Buffer): string => BigInt(`0x${bytes.toString("hex")}`).toString();
