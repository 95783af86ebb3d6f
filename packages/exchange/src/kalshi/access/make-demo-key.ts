import { generateKeyPairSync, randomUUID, type KeyObject } from "node:crypto";

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
