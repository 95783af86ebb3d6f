import { generateKeyPairSync, randomUUID, type KeyObject, constants, verify } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** A key pair that the endpoint accepts: id and private key for the client, public key for the endpoint. */
export interface DemoKey {
  key_id: string;
  /** PKCS#8 PEM. */
  private_key_pem: string;
  public_key: KeyObject;
}

/** Creates a key pair of one of Kalshi's two kinds. RSA takes noticeable time; Ed25519 is the default since 2026-10. */
export function makeDemoKey(kind: "ed25519" | "rsa" = "ed25519"): DemoKey {
  const pair = kind === "rsa" ? generateKeyPairSync("rsa", { modulusLength: 2048 }) : generateKeyPairSync("ed25519");
  return {
    key_id: randomUUID(),
    private_key_pem: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    public_key: pair.publicKey,
  };
}

/** Maximum difference between the client's clock and the server's. */
const TOLERANCE_MS = 300_000;

interface SignedRequest {
  method: string;
  /** Path from the root; a query string is removed before the check. */
  url: string;
  headers: IncomingHttpHeaders;
}

/**
 * Checks KALSHI-ACCESS-KEY, -TIMESTAMP (ms) and -SIGNATURE = base64(sign(timestamp + METHOD + path)), by RSA-PSS with
 * SHA-256 and a salt of the digest's length, or Ed25519. Returns the key id, or undefined when the signature is
 * invalid.
 */
export function verifySignature(
  request: SignedRequest,
  keys: ReadonlyMap<string, KeyObject>,
  wallMs: number,
): string | undefined {
  const keyId = header(request.headers, "kalshi-access-key");
  const timestamp = header(request.headers, "kalshi-access-timestamp");
  const signature = header(request.headers, "kalshi-access-signature");
  const key = keyId === undefined ? undefined : keys.get(keyId);
  if (!key || timestamp === undefined || signature === undefined || !/^\d{13}$/.test(timestamp)) return undefined;
  if (Math.abs(wallMs - Number(timestamp)) > TOLERANCE_MS) return undefined;
  const path = request.url.split("?")[0] ?? "";
  const message = Buffer.from(timestamp + request.method + path);
  return holds(key, message, Buffer.from(signature, "base64")) ? keyId : undefined;
}

function holds(key: KeyObject, message: Buffer, signature: Buffer): boolean {
  if (key.asymmetricKeyType === "ed25519") return verify(null, message, key, signature);
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return verify("sha256", message, { key, ...padding }, signature);
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export interface ReadLimits {
  /** Tokens per second and caller; the Basic tier has 200. A read costs 10. */
  tokens_per_second: number;
  /** Bucket capacity in seconds of budget; Basic has 3. */
  burst_seconds: number;
}

/** Token buckets, one per caller (key id or address). */
export class ReadBudget {
  readonly #limits: ReadLimits;
  readonly #wall: () => number;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(limits: ReadLimits, wall: () => number) {
    this.#limits = limits;
    this.#wall = wall;
  }

  /** Takes the cost, or takes nothing and returns false. */
  take(caller: string, cost: number): boolean {
    const now = this.#wall();
    const size = this.#limits.tokens_per_second * this.#limits.burst_seconds;
    const bucket = this.#buckets.get(caller) ?? { tokens: size, at: now };
    const tokens = Math.min(size, bucket.tokens + ((now - bucket.at) / 1000) * this.#limits.tokens_per_second);
    const enough = tokens >= cost;
    this.#buckets.set(caller, { tokens: enough ? tokens - cost : tokens, at: now });
    return enough;
  }
}
