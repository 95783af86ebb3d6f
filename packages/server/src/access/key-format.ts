import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const SECRET_CHARS = 26;
const CHECKSUM_CHARS = 6;
const PUBLIC_CHARS = 6;
const FORM = /^alm_live_([a-z2-7]{26})_([a-z2-7]{6})$/;

/** A new API key, `alm_live_<26 base32>_<6 checksum>`: 130 random bits. */
export function newKey(random: (bytes: number) => Uint8Array = randomBytes): string {
  const secret = [...random(SECRET_CHARS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return `alm_live_${secret}_${checksumOf(secret)}`;
}

/** True when a text has a key's form and its checksum is right: any one wrong character is noticed without a look-up. */
export function isKey(text: string): boolean {
  const [, secret, checksum] = FORM.exec(text) ?? [];
  return secret !== undefined && checksumOf(secret) === checksum;
}

/** What is stored of a key. The key has 130 bits of chance, so a plain hash cannot be searched backwards. */
export function digestOf(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

/** The same as text, by which what was found of a key is remembered. */
export function idOf(key: string): string {
  return hash("sha256", key, "base64");
}

/** The part that may be shown and logged. */
export function prefixOf(key: string): string {
  return key.slice(0, "alm_live_".length + PUBLIC_CHARS);
}

/** The low 30 bits of CRC-32 over the characters' values. Being linear, it is proven for every key by trying each difference. */
function checksumOf(secret: string): string {
  const values = new Uint8Array(secret.length);
  for (let place = 0; place < secret.length; place += 1) values[place] = ALPHABET.indexOf(secret[place] ?? "");
  let rest = crc32(values);
  let checksum = "";
  for (let place = 0; place < CHECKSUM_CHARS; place += 1) {
    checksum = `${ALPHABET[rest % ALPHABET.length]}${checksum}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return checksum;
}
