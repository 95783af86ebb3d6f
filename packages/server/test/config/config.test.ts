import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError, describeConfig, readConfig } from "../../src/config.ts";
import { DEFAULT_BOUNDS } from "../../src/http/bounds.ts";
import { SETTINGS } from "../../src/settings.ts";
import { tempFolder } from "../records/temp-folder.ts";

const folder = tempFolder();
afterAll(() => folder.remove());

const pemOf = (kind: "rsa" | "ec"): string => {
  const pair =
    kind === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  return pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
};
const rsa = pemOf("rsa");

function problemsOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error("it was taken");
}

describe("readConfig", () => {
  test("puts an IPv6 address in brackets in the public URL", () => {
    expect(readConfig({ ALMANAC_HOST: "::1" }).publicUrl).toBe("http://[::1]:8080");
  });

  test("needs no settings: every default is valid", () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      host: "127.0.0.1",
      port: 8080,
      publicUrl: "http://127.0.0.1:8080",
      role: "all",
      logLevel: "info",
      paramsUnknown: "reject",
      streamsOff: [],
      socketsPerStream: 100,
      incomeWallets: 2000,
      incomeHours: 6,
    });
    expect(isAbsolute(config.dataDir)).toBe(true);
    expect(config.upstream).toMatchObject({ KALSHI_URL: "https://external-api.kalshi.com/trade-api/v2" });
    expect(config.upstream).not.toHaveProperty("POLYGON_RPC_URL");
    expect(Object.isFrozen(config) && Object.isFrozen(config.upstream) && Object.isFrozen(config.streamsOff)).toBe(
      true,
    );
  });

  test("reads every setting that it describes", () => {
    const config = readConfig({
      ALMANAC_HOST: "0.0.0.0",
      ALMANAC_PORT: "0",
      ALMANAC_METRICS_PORT: "9090",
      ALMANAC_DATA_DIR: "/var/lib/almanac",
      ALMANAC_ROLE: "api",
      ALMANAC_PUBLIC_URL: "https://data.example.org/",
      LOG_LEVEL: "debug",
      PARAMS_UNKNOWN: "warn",
      QUERY_TIMEOUT_SECONDS: "5",
      QUERY_MEMORY_MB: "512",
      API_WORKERS: "4",
      SOCKETS_PER_STREAM: "7",
      INCOME_WALLETS: "0",
      INCOME_HOURS: "24",
      SESSION_IDLE_MINUTES: "30",
      SESSION_MAX_HOURS: "12",
      SIGN_IN_TRIES: "3",
      SIGN_IN_TRIES_PER_ADDRESS: "9",
      SIGN_IN_MINUTES: "5",
      TRUSTED_PROXIES: "10.0.0.0/8, ::1",
      STREAMS_OFF: "kalshi-trades, polymarket-books",
      CLICKHOUSE_URL: "http://127.0.0.1:8123",
      DATABASE_URL: "postgres://u:p@127.0.0.1/almanac",
      POLYGON_RPC_URL: "https://rpc.example.org/v2/key",
      POLYMARKET_WS_URL: "ws://127.0.0.1:1/",
    });
    expect(config).toMatchObject({
      apiWorkers: 4,
      host: "0.0.0.0",
      port: 0,
      metricsPort: 9090,
      dataDir: "/var/lib/almanac",
      role: "api",
      publicUrl: "https://data.example.org",
      logLevel: "debug",
      paramsUnknown: "warn",
      queryTimeoutSeconds: 5,
      queryMemoryBytes: 512_000_000,
      statementsAtOnce: 16,
      streamsOff: ["kalshi-trades", "polymarket-books"],
      socketsPerStream: 7,
      incomeWallets: 0,
      incomeHours: 24,
      sessionIdleMinutes: 30,
      sessionMaxHours: 12,
      signInTries: 3,
      signInTriesPerAddress: 9,
      signInMinutes: 5,
      trustedProxies: ["10.0.0.0/8", "::1"],
      clickhouseUrl: "http://127.0.0.1:8123",
      databaseUrl: "postgres://u:p@127.0.0.1/almanac",
      warnings: [],
    });
    expect(config.upstream).toMatchObject({
      POLYGON_RPC_URL: "https://rpc.example.org/v2/key",
      POLYMARKET_WS_URL: "ws://127.0.0.1:1",
    });
  });

  test.each([
    ["ALMANAC_PORT", "80a"],
    ["ALMANAC_PORT", "65536"],
    ["ALMANAC_PORT", "-1"],
    ["ALMANAC_PORT", "1e3"],
    ["ALMANAC_ROLE", "everything"],
    ["LOG_LEVEL", "LOUD"],
    ["PARAMS_UNKNOWN", "ignore"],
    ["QUERY_TIMEOUT_SECONDS", "0"],
    // Its request is answered with QUERY_TIMEOUT before.
    ["QUERY_TIMEOUT_SECONDS", String(DEFAULT_BOUNDS.askTimeoutMs / 1000 + 1)],
    ["STREAMS_OFF", "a b"],
    ["TRUSTED_PROXIES", "proxy.example"],
    ["TRUSTED_PROXIES", "10.0.0.0/33"],
    ["TRUSTED_PROXIES", "0.0.0.0/0"],
    ["TRUSTED_PROXIES", "10.0.0.0/8, ::/0"],
    ["TRUSTED_PROXIES", "10.0.0.0/8/8"],
    ["SIGN_IN_TRIES", "0"],
    ["CLICKHOUSE_URL", "localhost:8123"],
    ["POLYMARKET_WS_URL", "https://x.org"],
    ["ALMANAC_PUBLIC_URL", "data.example.org"],
  ] as const)("%s=%s prevents the start, naming the setting, the value and what is expected", (name, value) => {
    const message = problemsOf({ [name]: value });
    expect(message).toContain(`${name} is `);
    expect(message).toContain(SETTINGS[name].expected);
    if (SETTINGS[name].shows === "all") expect(message).toContain(JSON.stringify(value));
  });

  test("reports all wrong settings at once", () => {
    expect(problemsOf({ ALMANAC_PORT: "x", LOG_LEVEL: "y" }).split("\n")).toHaveLength(2);
  });

  test("treats an empty variable as unset", () => {
    expect(readConfig({ ALMANAC_PORT: "", DATABASE_URL: " ", STREAMS_OFF: "" })).toMatchObject({
      port: 8080,
      databaseUrl: undefined,
    });
  });

  test("accepts a cluster's name with the addresses of its nodes, neither without the other", () => {
    const [one, two] = ["http://u:p@10.0.0.1:8123/almanac", "http://10.0.0.2:8123"];
    expect(readConfig({ CLICKHOUSE_CLUSTER: "c", CLICKHOUSE_URL: `${one}, ${two}` })).toMatchObject({
      clickhouseCluster: "c",
      clickhouseUrl: `${one},${two}`,
    });
    expect(problemsOf({ CLICKHOUSE_CLUSTER: "c" })).toContain("CLICKHOUSE_URL");
    expect(problemsOf({ CLICKHOUSE_URL: `${one},${two}` })).toContain("CLICKHOUSE_CLUSTER");
    expect(problemsOf({ CLICKHOUSE_CLUSTER: "c", CLICKHOUSE_URL: `${one},${two.slice(7)}` })).not.toContain(":p@");
  });

  test("accepts Kalshi's key as PEM, as one line with \\n, or as a file; never half of the pair", () => {
    const file = join(folder.path, "kalshi.pem");
    writeFileSync(file, rsa);
    for (const KALSHI_PRIVATE_KEY of [rsa, rsa.replaceAll("\n", "\\n"), file]) {
      expect(readConfig({ KALSHI_KEY_ID: "id", KALSHI_PRIVATE_KEY }).upstream["KALSHI_PRIVATE_KEY"]).toBe(rsa);
    }
    expect(problemsOf({ KALSHI_KEY_ID: "id" })).toContain("go together");
    expect(problemsOf({ KALSHI_KEY_ID: "id", KALSHI_PRIVATE_KEY: pemOf("ec") })).toContain("RSA");
    expect(problemsOf({ KALSHI_KEY_ID: "id", KALSHI_PRIVATE_KEY: "/no/such/file" })).not.toContain("/no/such");
  });

  test.each([
    ["sslmode=prefer", "expected one of disable, require, verify-ca, verify-full"],
    ["sslmode=disable&sslmode=require", "sslmode=disable and require"],
    ["sslmode=verify-ca", "no sslrootcert"],
  ])("refuses a database with %s without printing its password", (options, why) => {
    const message = problemsOf({ DATABASE_URL: `postgres://user:hush@db.example.org/almanac?${options}` });
    expect(message).toContain("DATABASE_URL has sslmode=");
    expect(message).toContain(why);
    expect(message).not.toContain("hush");
  });

  test.each(["", "?sslmode=disable", "?sslmode=verify-full", "?sslmode=verify-ca&sslrootcert=/root.crt"])(
    "accepts a database with %j",
    (options) => {
      const url = `postgres://db.example.org/almanac${options}`;
      expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
    },
  );

  test("refuses a database on several servers", () => {
    expect(problemsOf({ DATABASE_URL: "postgres://a.example.org,b.example.org/almanac" })).toContain(
      "DATABASE_URL names several servers",
    );
  });

  test("warns about ALMANAC_ variables that have no effect", () => {
    expect(readConfig({ ALMANAC_PROT: "1" }).warnings).toEqual([
      expect.stringContaining("ALMANAC_PROT is not a setting"),
    ]);
  });
});

describe("secrets", () => {
  const secrets = {
    DATABASE_URL: "postgres://user:hush@db.example.org/hush",
    CLICKHOUSE_URL: "https://user:hush@ch.example.org",
    POLYGON_RPC_URL: "https://rpc.example.org/v2/hush",
    POLYGON_WS_URL: "wss://ws.example.org/?key=hush",
    KALSHI_URL: "https://paper.example.org/hush",
    KALSHI_KEY_ID: "hush",
    KALSHI_PRIVATE_KEY: "-----BEGIN hush",
    REDIS_URL: "redis://:hush@r.example.org",
  };

  test("are not in the description of the settings", () => {
    const rows = describeConfig(secrets);
    expect(JSON.stringify(rows)).not.toContain("hush");
    expect(rows.map((row) => row.name).sort()).toEqual(Object.keys(SETTINGS).sort());
    expect(rows.find((row) => row.name === "DATABASE_URL")).toMatchObject({
      value: "postgres://db.example.org/(hidden)",
      source: "environment",
    });
    expect(rows.find((row) => row.name === "KALSHI_KEY_ID")).toMatchObject({ value: "(hidden)" });
    expect(rows.find((row) => row.name === "ALMANAC_PORT")).toMatchObject({ value: "8080", source: "default" });
    expect(rows.find((row) => row.name === "ALMANAC_METRICS_PORT")).toMatchObject({ value: null, source: "unset" });
  });

  test.each(Object.keys(secrets))("are not in the message if %s is wrong", (name) => {
    const wrong = secrets[name as keyof typeof secrets].replace(/^\w+:\/\//, "gopher://");
    const { KALSHI_KEY_ID, KALSHI_PRIVATE_KEY } = secrets;
    const key = name.startsWith("KALSHI_") ? { KALSHI_KEY_ID, KALSHI_PRIVATE_KEY } : {};
    const environment = { ...key, [name]: wrong };
    expect(problemsOf(environment)).not.toContain("hush");
  });
});
