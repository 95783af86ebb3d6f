import { constants, generateKeyPairSync, verify, type KeyObject } from "node:crypto";
import { describe, expect, it } from "vitest";
import { kalshiBookStream } from "../../../src/connectors/kalshi/book.ts";
import { signHandshake } from "../../../src/connectors/kalshi/hosts.ts";

const PATH = "/trade-api/ws/v2";
const NOW = 1_790_000_000_123;
const pem = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();

describe("the signed handshake", () => {
  const ed = generateKeyPairSync("ed25519");
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const message = Buffer.from(`${NOW}GET${PATH}`);

  it("verifies with an Ed25519 key", () => {
    const headers = signHandshake({ id: "k", pem: pem(ed.privateKey) }, PATH, NOW);
    expect(headers).toMatchObject({ "KALSHI-ACCESS-KEY": "k", "KALSHI-ACCESS-TIMESTAMP": String(NOW) });
    const signature = Buffer.from(headers["KALSHI-ACCESS-SIGNATURE"]!, "base64");
    expect(verify(null, message, ed.publicKey, signature)).toBe(true);
    expect(verify(null, Buffer.from(`${NOW + 1}GET${PATH}`), ed.publicKey, signature)).toBe(false);
  });

  it.each(["pkcs8", "pkcs1"] as const)("verifies with an RSA key in %s", (type) => {
    const text = rsa.privateKey.export({ type, format: "pem" }).toString();
    // The query is not signed, and an environment variable may contain its line ends as \n.
    const headers = signHandshake({ id: "k", pem: text.replaceAll("\n", "\\n") }, `${PATH}?a=1`, NOW);
    const signature = Buffer.from(headers["KALSHI-ACCESS-SIGNATURE"]!, "base64");
    const options = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
    expect(verify("sha256", message, { key: rsa.publicKey, ...options }, signature)).toBe(true);
    expect(verify("sha256", message, { key: rsa.publicKey, padding: constants.RSA_PKCS1_PADDING }, signature)).toBe(
      false,
    );
  });

  it("signs the path of the configured URL", () => {
    const settings = {
      KALSHI_KEY_ID: "k",
      KALSHI_PRIVATE_KEY: pem(ed.privateKey),
      KALSHI_WS_URL: "ws://127.0.0.1:1/x/ws",
    };
    const headers = kalshiBookStream.headers!(settings, NOW);
    const signature = Buffer.from(headers["KALSHI-ACCESS-SIGNATURE"]!, "base64");
    expect(verify(null, Buffer.from(`${NOW}GET/x/ws`), ed.publicKey, signature)).toBe(true);
  });

  it("refuses other kinds of keys without revealing them", () => {
    const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
    for (const text of ["", "secret", pem(ec.privateKey)]) {
      expect(() => signHandshake({ id: "k", pem: text }, PATH, NOW)).toThrow(TypeError);
    }
    expect(() => signHandshake({ id: "k", pem: "secret" }, PATH, NOW)).toThrow(/^((?!secret).)*$/);
  });
});
