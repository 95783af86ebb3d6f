import { randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hash, verify } from "@node-rs/argon2";
import { z } from "zod";
import { within, type AtOnce } from "./limiter.ts";
import { AccessError } from "./access-error.ts";

/** The first guesses among passwords of 12 characters and more: keyboard runs, common words with digits. */
const COMMON = new Set(
  readFileSync(join(import.meta.dirname, "common-passwords.txt"), "utf8")
    .trim()
    .split("\n"),
);
const MIN_DIFFERENT = 5;

/** A password chosen by a user. Length counts, not kinds of characters. */
export const passwordInput = z
  .string()
  .min(12, "at least 12 characters")
  .max(200, "at most 200 characters")
  .refine((text) => new Set(text).size >= MIN_DIFFERENT, `at least ${MIN_DIFFERENT} different characters`)
  .refine((text) => !COMMON.has(normal(text).toLowerCase()), "is a commonly guessed password");

const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const GROUPS = 5;
const GROUP_CHARS = 4;

/** A one-time password for another user: 100 random bits, no characters that look alike. */
function firstPassword(): string {
  return Array.from({ length: GROUPS }, randomGroup).join("-");
}

function randomGroup(): string {
  return Array.from({ length: GROUP_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** `like` is a hash whose salt is reused. */
export type Hash = (password: string, like?: string) => Promise<string>;

/** A user's columns for their `own` password, or for a generated one, which is returned once and must be changed. */
export async function newPassword(own: string | undefined, toHash: Hash = hashPassword, like?: string) {
  const password = own ?? firstPassword();
  return {
    columns: { password_hash: await toHash(password, like), must_change_password: own === undefined },
    reported: own === undefined ? password : undefined,
  };
}

/** OWASP's figures for argon2id (the library's default algorithm): 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

type Argon2 = { readonly hash: typeof hash; readonly verify: typeof verify };

export type Passwords = {
  readonly hash: Hash;
  /**
   * For each stored hash whether the password matches it. Hashes of one e-mail address share one salt, so the work is
   * the same for one, for several, and for none (an unknown address).
   */
  readonly verify: (stored: readonly string[], password: string) => Promise<readonly boolean[]>;
};

/** Equivalent characters count as one, whichever way a keyboard composes them. */
export const normal = (password: string): string => password.normalize("NFKC");

const hashPassword: Hash = async (password, like) => await hash(normal(password), costLike(like));

/** `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, the salt in base64. */
function costLike(like: string | undefined): typeof COST & { readonly salt?: Buffer } {
  const salt = like?.split("$")[4];
  return salt === undefined ? COST : { ...COST, salt: Buffer.from(salt, "base64") };
}

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
const saltedAs = (stored: string): string => stored.slice(0, stored.lastIndexOf("$"));

/** New passwords are few, and hashed one at a time: a client that creates many users must not block sign-ins. */
const NEW_PASSWORDS: AtOnce = { atOnce: 1, waiting: 16 };
const TOO_MANY = {
  message: "Too many passwords are being checked or made now; try again in a moment.",
  retryAfterSeconds: 2,
};

/**
 * Argon2 with bounds: each computation takes 19 MiB and some 20 ms of a core. `bounds` apply to sign-in. `argon2` is an
 * argument so that tests can count.
 */
export function openPasswords(
  bounds: AtOnce = { atOnce: 2, waiting: 64 },
  argon2: Argon2 = { hash, verify },
): Passwords {
  const [signingIn, making] = [within(bounds, TOO_MANY), within(NEW_PASSWORDS, TOO_MANY)];
  let nobody: Promise<string> | undefined;
  /** A dummy hash for all unknown addresses; made again after a failure, or unknown addresses alone would fail. */
  const hashOfNobody = (): Promise<string> => {
    const made = (nobody ??= argon2.hash(randomBytes(16).toString("hex"), COST));
    made.catch(() => {
      if (nobody === made) nobody = undefined;
    });
    return made;
  };
  return {
    hash: async (password, like) => await making(() => argon2.hash(normal(password), costLike(like))),
    verify: async (stored, password) => {
      const ofNobody = hashOfNobody();
      const text = normal(password);
      const [first, ...others] = stored;
      const known = first ?? (await ofNobody);
      return await signingIn(async () => {
        if (others.length === 0) return [await argon2.verify(known, text)].slice(0, stored.length);
        const made = await argon2.hash(text, costLike(known));
        const isRight = async (one: string): Promise<boolean> =>
          saltedAs(one) === saltedAs(made) ? isSame(one, made) : await argon2.verify(one, text);
        return await Promise.all(stored.map(isRight));
      });
    },
  };
}

type Person = { readonly email: string; readonly name: string };

/** Shorter names occur in many words. */
const MIN_CHARS = 4;

const plain = (text: string): string => text.normalize("NFKC").toLowerCase().replaceAll(/\s/g, "");

/** Throws AccessError if the password, sent as `field`, contains the user's e-mail address or name. */
export function requireNotOwn(password: string, { email, name }: Person, field: string): void {
  const text = plain(password);
  const [user = ""] = email.split("@");
  const holds = (word: string): boolean => word.length >= MIN_CHARS && text.includes(plain(word));
  const held = holds(email) || holds(user) ? "e-mail address" : holds(plain(name)) ? "name" : undefined;
  if (held === undefined) return;
  const problem = `must not contain the user's own ${held}`;
  throw new AccessError("invalid", `${field} ${problem}`, [{ path: field, problem }]);
}
