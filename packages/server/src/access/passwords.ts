import { randomBytes, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hash, verify } from "@node-rs/argon2";
import { bulkhead } from "cockatiel";
import { CallerError } from "../definition/errors.ts";
import { z } from "zod";

/** What is tried first among passwords of 12 characters and more: runs of keys, common words with figures after them. */
const COMMON = new Set(
  readFileSync(join(import.meta.dirname, "common-passwords.txt"), "utf8")
    .trim()
    .split("\n"),
);
const MIN_DIFFERENT = 5;

/** A password that somebody chooses. Length counts, not kinds of characters. */
export const passwordInput = z
  .string()
  .min(12, "at least 12 characters")
  .max(200, "at most 200 characters")
  .refine((text) => new Set(text).size >= MIN_DIFFERENT, `at least ${MIN_DIFFERENT} different characters`)
  .refine((text) => !COMMON.has(normal(text).toLowerCase()), "is one of the passwords that are tried first");

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
export async function newPassword(own: string | undefined, toHash: Hash = hashPassword) {
  const password = own ?? firstPassword();
  return {
    columns: { password_hash: await toHash(password), must_change_password: own === undefined },
    told: own === undefined ? password : undefined,
  };
}

/** OWASP's figures for argon2id (the library's default algorithm): 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

type Argon2 = { readonly hash: typeof hash; readonly verify: typeof verify };

export type Passwords = {
  readonly hash: (password: string) => Promise<string>;
  /** Whether it is the password; without a hash (nobody has the address) the same work is done and false told. */
  readonly verify: (stored: string | undefined, password: string) => Promise<boolean>;
};

/** Characters that look alike are one password, however a keyboard composes them. */
const normal = (password: string): string => password.normalize("NFKC");

async function hashPassword(password: string): Promise<string> {
  return await hash(normal(password), COST);
}

export type PasswordBounds = { readonly atOnce: number; readonly waiting: number };

/** New passwords are few, and hashed one after the other: whoever makes many users keeps nobody from signing in. */
const NEW_PASSWORDS: PasswordBounds = { atOnce: 1, waiting: 16 };

/** What runs within the bounds; beyond `waiting` it throws UNAVAILABLE. */
function within({ atOnce, waiting }: PasswordBounds): <T>(work: () => Promise<T>) => Promise<T> {
  const policy = bulkhead(atOnce, waiting);
  return (work) => {
    if (policy.executionSlots + policy.queueSlots === 0) throw tooMany();
    return policy.execute(work);
  };
}

/**
 * Argon2 with bounds: each computation takes 19 MiB and some 20 ms of a core. `bounds` are those of signing in. `argon2`
 * is an argument so that tests can count.
 */
export function openPasswords(
  bounds: PasswordBounds = { atOnce: 2, waiting: 64 },
  argon2: Argon2 = { hash, verify },
): Passwords {
  const [signingIn, making] = [within(bounds), within(NEW_PASSWORDS)];
  let nobody: Promise<string> | undefined;
  /** One for all who are nobody; what could not be made is made anew, or unknown addresses would go on failing alone. */
  const hashOfNobody = (): Promise<string> => {
    const made = (nobody ??= argon2.hash(randomBytes(16).toString("hex"), COST));
    made.catch(() => {
      if (nobody === made) nobody = undefined;
    });
    return made;
  };
  return {
    hash: async (password) => await making(() => argon2.hash(normal(password), COST)),
    verify: async (stored, password) => {
      const ofNobody = hashOfNobody();
      const known = stored ?? (await ofNobody);
      const isRight = await signingIn(() => argon2.verify(known, normal(password)));
      return isRight && stored !== undefined;
    },
  };
}

function tooMany(): CallerError {
  return new CallerError("UNAVAILABLE", "Too many passwords are being checked or made now; try again in a moment.", {
    retryAfterSeconds: 2,
  });
}
