import { constants, createPrivateKey, sign as signature } from "node:crypto";

/** Headers of a signed handshake, as a client makes them. */
export function sign(keyId: string, pem: string, path = "/trade-api/ws/v2", timestamp = String(Date.now())) {
  const key = createPrivateKey(pem);
  const message = Buffer.from(`${timestamp}GET${path}`);
  const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  const signed =
    key.asymmetricKeyType === "ed25519" ? signature(null, message, key) : signature("sha256", message, pss);
  return {
    "KALSHI-ACCESS-KEY": keyId,
    "KALSHI-ACCESS-TIMESTAMP": timestamp,
    "KALSHI-ACCESS-SIGNATURE": signed.toString("base64"),
  };
}
