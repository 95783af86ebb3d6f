import { MIB } from "../../definition/upstream-bounds.ts";
import type { Host } from "../../definition/connector.ts";
import { constants, createPrivateKey, sign, type KeyObject } from "node:crypto";

/**
 * Kalshi's REST API v2. A read costs 10 tokens. Without a key no limit is documented: 429s were seen at 4–5 requests a
 * second from one address, so 4 a second is taken as the limit unless a setting gives more (the lowest tier with a key
 * is documented with 200 tokens), and three quarters of it are used. There is no Retry-After and no penalty. Texts come
 * in the requested language.
 */
export const kalshiHost: Host = {
  name: "kalshi",
  setting: "KALSHI_URL",
  // 1,000 markets of 2 to 5 kB.
  maxBytes: 8 * MIB,
  limits: { all: { tokens: 40, perSeconds: 1, burst: 40 } },
  share: 0.75,
  granted: "KALSHI_TOKENS_PER_SECOND",
  headers: { "accept-language": "en" },
};

/** Kalshi's websocket v2. The setting is the full URL; 10,000 commands a second and 200 connections are allowed. */
export const kalshiSocketHost: Host = {
  name: "kalshi-socket",
  setting: "KALSHI_WS_URL",
  // One book per frame.
  maxBytes: 2 * MIB,
  limits: { all: { tokens: 10_000, perSeconds: 1 } },
  share: 0.01,
};

export type HandshakeKey = { readonly id: string; readonly pem: string };

/**
 * The headers that open Kalshi's websocket: base64 of the signature over timestamp (ms) + "GET" + path without query.
 * The kind of key is read from the key, not from its header: Ed25519, or RSA-PSS with SHA-256 and a salt of the
 * digest's length. Throws a TypeError when the text is no private key of either kind; the key is never in the message.
 */
export function signHandshake(key: HandshakeKey, path: string, nowMs: number): Record<string, string> {
  const timestamp = String(Math.trunc(nowMs));
  const message = Buffer.from(`${timestamp}GET${path.split("?")[0]}`);
  return {
    "KALSHI-ACCESS-KEY": key.id,
    "KALSHI-ACCESS-TIMESTAMP": timestamp,
    "KALSHI-ACCESS-SIGNATURE": signatureOf(readKey(key.pem), message).toString("base64"),
  };
}

function readKey(pem: string): KeyObject {
  try {
    // An environment variable often contains line ends as a backslash and an n.
    return createPrivateKey(pem.replaceAll("\\n", "\n"));
  } catch {
    throw new TypeError("KALSHI_PRIVATE_KEY is not a private key in PEM form");
  }
}

function signatureOf(key: KeyObject, message: Buffer): Buffer {
  if (key.asymmetricKeyType === "ed25519") return sign(null, message, key);
  if (key.asymmetricKeyType !== "rsa") throw new TypeError("KALSHI_PRIVATE_KEY is neither an Ed25519 nor an RSA key");
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return sign("sha256", message, { key, ...padding });
}
