import { randomInt } from "node:crypto";
import { z } from "zod";
import { hashPassword } from "./passwords.ts";

const MIN_DIFFERENT = 5;

/** A password that somebody chooses. Length counts, not kinds of characters. */
export const passwordInput = z
  .string()
  .min(12, "at least 12 characters")
  .max(200, "at most 200 characters")
  .refine((text) => new Set(text).size >= MIN_DIFFERENT, `at least ${MIN_DIFFERENT} different characters`);

const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const GROUPS = 5;
const GROUP_CHARS = 4;

/** A password for somebody else to use once: 100 random bits, no characters that look alike. */
function firstPassword(): string {
  return Array.from({ length: GROUPS }, randomGroup).join("-");
}

function randomGroup(): string {
  return Array.from({ length: GROUP_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

export type Hash = (password: string) => Promise<string>;

/** A user's columns for their `own` password, or for a first one, which is told once and must be changed. */
export async function newPassword(own: string | undefined, hash: Hash = hashPassword) {
  const password = own ?? firstPassword();
  return {
    columns: { password_hash: await hash(password), must_change_password: own === undefined },
    told: own === undefined ? password : undefined,
  };
}
