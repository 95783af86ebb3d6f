import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postgresSessions } from "../../src/records/postgres-sessions.ts";
import { opensslAbsence } from "../fixtures/make-certificate.ts";
import { findPostgres, startPostgres, type TestPostgres } from "./start-postgres.ts";

const found = findPostgres();
const absence = "reason" in found ? found.reason : opensslAbsence();
const reason = absence === undefined ? "" : ` (left out: ${absence})`;

/** Whether the server reports the connection to this address as encrypted. */
async function isEncrypted(url: string): Promise<boolean> {
  const sessions = postgresSessions(url);
  try {
    const session = await sessions.acquire();
    const { rows } = await session.query("select ssl from pg_stat_ssl where pid = pg_backend_pid()", []);
    session.release();
    return (rows as { ssl: boolean }[])[0]?.ssl === true;
  } finally {
    await sessions.close();
  }
}

describe.skipIf(absence !== undefined)(`PostgreSQL with TLS${reason}`, () => {
  let postgres: TestPostgres;
  let plain: TestPostgres;
  let database: URL;
  const bin = "bin" in found ? found.bin : "";
  beforeAll(async () => {
    [postgres, plain] = await Promise.all([startPostgres(bin, { tls: true }), startPostgres(bin)]);
    database = new URL(await postgres.newDatabase());
  });
  afterAll(() => Promise.all([postgres.stop(), plain.stop()]));

  const at = (host: string, options: Record<string, string>): string =>
    `postgres://postgres@${host}:${database.port}${database.pathname}?${new URLSearchParams(options)}`;
  const sslrootcert = (): string => postgres.certificate ?? "";

  test("connects without encryption by default and with sslmode=disable", async () => {
    expect(await isEncrypted(database.href)).toBe(false);
    expect(await isEncrypted(at("127.0.0.1", { sslmode: "disable" }))).toBe(false);
  });

  test("require encrypts and accepts any certificate", async () => {
    expect(await isEncrypted(at("127.0.0.1", { sslmode: "require" }))).toBe(true);
  });

  test("verify-full accepts the given authority, only for the name in the certificate", async () => {
    expect(await isEncrypted(at("localhost", { sslmode: "verify-full", sslrootcert: sslrootcert() }))).toBe(true);
    await expect(isEncrypted(at("127.0.0.1", { sslmode: "verify-full", sslrootcert: sslrootcert() }))).rejects.toThrow(
      /cannot be reached: .*does not match certificate's altnames/,
    );
  });

  test("verify-full rejects other authorities", async () => {
    await expect(isEncrypted(at("localhost", { sslmode: "verify-full" }))).rejects.toThrow(
      /cannot be reached: self-signed certificate/,
    );
  });

  test("verify-ca accepts the given authority under any name", async () => {
    expect(await isEncrypted(at("127.0.0.1", { sslmode: "verify-ca", sslrootcert: sslrootcert() }))).toBe(true);
  });

  test("reports a missing certificate file by name", async () => {
    const url = at("localhost", { sslmode: "verify-full", sslrootcert: "/no/such/root.crt" });
    await expect(isEncrypted(url)).rejects.toMatchObject({
      problem: "unreachable",
      message: expect.stringContaining("/no/such/root.crt"),
    });
  });

  test("require never falls back to an unencrypted connection", async () => {
    const url = `${await plain.newDatabase()}?sslmode=require`;
    await expect(isEncrypted(url)).rejects.toThrow(/cannot be reached: The server does not support SSL connections/);
  });
});
