import { randomInt } from "node:crypto";

const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const GROUPS = 5;
const GROUP_CHARS = 4;

/** A password for somebody else to use once: 100 random bits, no characters that look alike. */
export function firstPassword(): string {
  return Array.from({ length: GROUPS }, randomGroup).join("-");
}

function randomGroup(): string {
  return Array.from({ length: GROUP_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}
