import { resolve } from "node:path";
import type { z } from "zod";
import { shown } from "./setting.ts";
import type { Setting } from "./setting.ts";
import { SETTINGS } from "./settings.ts";
import type { SettingName } from "./settings.ts";

type Value<S extends Setting> = z.output<S["schema"]> | (S extends { readonly default: string } ? never : undefined);
type Values = { [K in SettingName]: Value<(typeof SETTINGS)[K]> };
type Environment = Readonly<Record<string, string | undefined>>;

/** The settings, read once. `upstream` holds, by setting name, every address and credential that connectors ask for. */
export type Config = {
  readonly host: string;
  readonly port: number;
  readonly metricsPort: number | undefined;
  /** Absolute. */
  readonly dataDir: string;
  /** Absent: the secret is made in dataDir. */
  readonly secretFile: string | undefined;
  readonly role: "all" | "api" | "ingest" | "derive";
  readonly leaseSeconds: number;
  readonly publicUrl: string | undefined;
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  readonly paramsUnknown: "reject" | "warn";
  readonly queryTimeoutSeconds: number;
  readonly queryMemoryBytes: number;
  readonly parkedBytes: number;
  /** 0 keeps none. */
  readonly rawPayloadHours: number;
  /** 0 asks for nobody's income. */
  readonly incomeWallets: number;
  readonly incomeHours: number;
  readonly socialRetentionDays: number;
  readonly socialUnmatchedHours: number;
  readonly sessionIdleMinutes: number;
  readonly sessionMaxHours: number;
  /** Tries at signing in within `signInMinutes`. */
  readonly signInTries: number;
  readonly signInTriesPerAddress: number;
  readonly signInMinutes: number;
  readonly trustedProxies: readonly string[];
  readonly streamsOff: readonly string[];
  readonly socketsPerStream: number;
  /** Absent: the embedded column engine. */
  readonly clickhouseUrl: string | undefined;
  /** Absent: the embedded control records in dataDir. */
  readonly databaseUrl: string | undefined;
  /** Absent: limits are kept in this process. */
  readonly redisUrl: string | undefined;
  readonly upstream: Readonly<Record<string, string>>;
  /** Sentences for the log: settings that look like ours and are not. */
  readonly warnings: readonly string[];
};

/** The service cannot start so; `message` has a line for each setting that is wrong. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "ConfigError";
  }
}

const MEGABYTE = 1_000_000;
const UPSTREAM = /^(POLYMARKET|POLYGON|KALSHI|BLUESKY|HN|GDELT|X)_/;

/** Reads the environment. Throws ConfigError; a secret never appears in its message. */
export function readConfig(environment: Environment = process.env): Config {
  const values = readValues(environment);
  requireSupported(values);
  const given = Object.entries(values).filter(([name, value]) => UPSTREAM.test(name) && value !== undefined);
  return Object.freeze({
    host: values.ALMANAC_HOST,
    port: values.ALMANAC_PORT,
    metricsPort: values.ALMANAC_METRICS_PORT,
    dataDir: resolve(values.ALMANAC_DATA_DIR),
    secretFile: values.ALMANAC_SECRET_FILE,
    role: values.ALMANAC_ROLE,
    leaseSeconds: values.LEASE_SECONDS,
    publicUrl: values.ALMANAC_PUBLIC_URL,
    logLevel: values.LOG_LEVEL,
    paramsUnknown: values.PARAMS_UNKNOWN,
    queryTimeoutSeconds: values.QUERY_TIMEOUT_SECONDS,
    queryMemoryBytes: values.QUERY_MEMORY_MB * MEGABYTE,
    socketsPerStream: values.SOCKETS_PER_STREAM,
    parkedBytes: values.PARKED_MEGABYTES * MEGABYTE,
    rawPayloadHours: values.RAW_PAYLOAD_HOURS,
    incomeWallets: values.INCOME_WALLETS,
    incomeHours: values.INCOME_HOURS,
    socialRetentionDays: values.SOCIAL_RETENTION_DAYS,
    socialUnmatchedHours: values.SOCIAL_UNMATCHED_HOURS,
    sessionIdleMinutes: values.SESSION_IDLE_MINUTES,
    sessionMaxHours: values.SESSION_MAX_HOURS,
    signInTries: values.SIGN_IN_TRIES,
    signInTriesPerAddress: values.SIGN_IN_TRIES_PER_ADDRESS,
    signInMinutes: values.SIGN_IN_MINUTES,
    trustedProxies: Object.freeze([...(values.TRUSTED_PROXIES ?? [])]),
    streamsOff: Object.freeze([...(values.STREAMS_OFF ?? [])]),
    clickhouseUrl: values.CLICKHOUSE_URL,
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    upstream: Object.freeze(Object.fromEntries(given) as Record<string, string>),
    warnings: Object.freeze(findStrangers(environment)),
  });
}

export type SettingRow = {
  readonly name: string;
  /** Secrets and the insides of addresses hidden; null when unset. */
  readonly value: string | null;
  readonly source: "environment" | "default" | "unset";
  readonly meaning: string;
};

/** Every setting with its value, where it comes from and what it means. */
export function describeConfig(environment: Environment = process.env): readonly SettingRow[] {
  return Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
    const sent = sentIn(environment, name);
    const value = sent ?? setting.default;
    return {
      name,
      value: value === undefined ? null : shown(setting, value),
      source: sent === undefined ? (setting.default === undefined ? "unset" : "default") : "environment",
      meaning: setting.meaning,
    };
  });
}

/** A variable set to nothing counts as unset: that is how compose files leave one out. */
function sentIn(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  return value === undefined || value.trim() === "" ? undefined : value;
}

function readValues(environment: Environment): Values {
  const problems: string[] = [];
  const values = Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
    const text = sentIn(environment, name) ?? setting.default;
    if (text === undefined) return [name, undefined];
    const parsed = setting.schema.safeParse(text);
    if (!parsed.success)
      problems.push(`${name} is ${JSON.stringify(shown(setting, text))}: expected ${setting.expected}`);
    return [name, parsed.data];
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.fromEntries(values) as Values;
}

function requireSupported(values: Values): void {
  const problems: string[] = [];
  const refuse = (name: SettingName, instead: string): void => {
    if (values[name] !== undefined) problems.push(`${name} is set, but this version cannot use it: ${instead}`);
  };
  refuse("CLICKHOUSE_CLUSTER", "unset it and give one server with CLICKHOUSE_URL");
  if ((values.KALSHI_KEY_ID === undefined) !== (values.KALSHI_PRIVATE_KEY === undefined)) {
    problems.push("KALSHI_KEY_ID and KALSHI_PRIVATE_KEY go together: set both or neither");
  }
  if (problems.length > 0) throw new ConfigError(problems);
}

function findStrangers(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith("ALMANAC_") && !(name in SETTINGS))
    .map((name) => `${name} is not a setting and has no effect; see 'almanac config'`);
}
