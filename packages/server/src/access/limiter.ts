import {
  RateLimiterMemory,
  RateLimiterRes,
  type IRateLimiterOptions,
  type RateLimiterAbstract,
} from "rate-limiter-flexible";
import { CallerError } from "../definition/errors.ts";
import { createHash } from "node:crypto";
import { isIPv6, SocketAddress } from "node:net";
import { bulkhead } from "cockatiel";

export type ThrottleBounds = {
  /** Attempts from one address under any name, and attempts for one e-mail address from one address. */
  readonly perAddress: number;
  readonly perEmail: number;
  /** Both count within this many seconds of the first attempt. */
  readonly seconds: number;
};

/** Slows password guessing. Attempts on an e-mail address count per network address, so nobody can lock others out. */
export type SignInThrottle = {
  /** Counts an attempt. Throws RATE_LIMITED with the exact wait. */
  readonly take: (address: string, email: string) => Promise<void>;
  /** After the right password: the attempt is not counted. */
  readonly giveBack: (address: string, email: string) => Promise<void>;
};

const TOO_MANY = "Too many sign-in attempts";

/** `make` creates the library's limiter: in this process, or shared over Redis. */
export function openSignInThrottle(bounds: ThrottleBounds, make: LimiterMaker = memoryLimiter): SignInThrottle {
  const byAddress = make({ keyPrefix: "sign_in_address", points: bounds.perAddress, duration: bounds.seconds });
  const byEmail = make({ keyPrefix: "sign_in_email", points: bounds.perEmail, duration: bounds.seconds });
  return {
    take: async (address, email) => {
      const place = placeOf(address);
      await takePoint(byAddress, place, TOO_MANY);
      await takePoint(byEmail, pairOf(place, email), TOO_MANY);
    },
    giveBack: async (address, email) => {
      const place = placeOf(address);
      await byAddress.reward(place, 1);
      await byEmail.delete(pairOf(place, email));
    },
  };
}

/** A fixed-length key, whatever was typed. */
const pairOf = (place: string, email: string): string =>
  createHash("sha256").update(`${place} ${email}`).digest("base64url");

export type Limiter = RateLimiterAbstract;
export type LimiterMaker = (options: IRateLimiterOptions) => Limiter;

export const memoryLimiter: LimiterMaker = (options) => new RateLimiterMemory(options);

/** Takes one of a key's points. Throws RATE_LIMITED with the exact wait in whole seconds. */
export async function takePoint(limiter: Limiter, key: string, what: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw new CallerError("RATE_LIMITED", `${what}; wait ${seconds} seconds.`, { retryAfterSeconds: seconds });
  }
}

/** Some proxies add the client's port, which it can change with every connection. */
const withoutPort = (address: string): string => address.replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, "$1$2");

/** An IPv4 address, or the network half of an IPv6 one: the holder of one of its addresses has all 2^64. */
export function placeOf(address: string): string {
  const plain = withoutPort(address)
    .replace(/^::ffff:(?=\d+\.)/i, "")
    .replace(/%.*$/, "");
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = plain.split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - after.length;
  const all = [...groups, ...Array.from({ length: missing }, () => "0"), ...after];
  const network = all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
  return network === "0:0:0:0" ? (mappedOf(plain) ?? network) : network;
}

/** The IPv4 address that an IPv6 one contains, in whichever form it is written. */
const mappedOf = (address: string): string | undefined =>
  /^::ffff:([\d.]+)$/.exec(new SocketAddress({ address, family: "ipv6" }).address)?.[1];

export type AtOnce = { readonly atOnce: number; readonly waiting: number };
type Refusal = { readonly message: string; readonly retryAfterSeconds: number };

/** Runs work within the bounds; refuses work beyond `waiting` with UNAVAILABLE. */
export function within(
  { atOnce, waiting }: AtOnce,
  { message, retryAfterSeconds }: Refusal,
): <T>(work: () => Promise<T>) => Promise<T> {
  const policy = bulkhead(atOnce, waiting);
  return async (work) => {
    if (policy.executionSlots + policy.queueSlots > 0) return await policy.execute(work);
    throw new CallerError("UNAVAILABLE", message, { retryAfterSeconds });
  };
}

/** Runs work within `all`, and within `ofOne` for each name, so that nobody can take all places. */
export function withinFairly(
  { all, ofOne }: { readonly all: AtOnce; readonly ofOne: AtOnce },
  refusal: Refusal,
): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const inAll = within(all, refusal);
  const held = new Map<string, { readonly run: ReturnType<typeof within>; works: number }>();
  return async (name, work) => {
    const own = held.get(name) ?? { run: within(ofOne, refusal), works: 0 };
    held.set(name, own);
    own.works += 1;
    try {
      return await own.run(() => inAll(work));
    } finally {
      own.works -= 1;
      if (own.works === 0) held.delete(name);
    }
  };
}
