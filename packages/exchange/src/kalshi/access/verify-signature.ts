import { constants, verify, type KeyObject } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

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
