import { isIPv6 } from "node:net";
import { resolve } from "node:path";
import { shown, type Setting } from "./setting.ts";
import { SETTINGS, type SettingName, type SettingValues } from "./settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Prefixes of the settings with addresses and credentials that connectors use. */
const UPSTREAM = ["POLYMARKET", "POLYGON", "KALSHI", "BLUESKY", "HN", "GDELT", "X"] as const;
/** Prefixes of the settings that Config holds in another form. */
const REWORKED = [...UPSTREAM, "S3", "COLD", "BOOKS_COLD", "QUERY_MEMORY", "PARKED"] as const;

type Camel<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Lowercase<Word>}${Capitalize<Camel<Rest>>}`
  : Lowercase<Name>;
type Field<Name extends string> = Name extends `${(typeof REWORKED)[number]}_${string}`
  ? never
  : Camel<Name extends `ALMANAC_${infer Own}` ? Own : Name>;
/** Each setting by its name in camel case and without ALMANAC_; see `settings.ts` for its meaning. */
type PlainSettings = { readonly [Name in SettingName as Field<Name>]: SettingValues[Name] };

/** The settings, read once. `upstream` holds, by setting name, the addresses and credentials that connectors use. */
export type Config = Omit<PlainSettings, "dataDir" | "publicUrl" | "venuesBegan" | "trustedProxies" | "streamsOff"> & {
  /** Absolute. */
  readonly dataDir: string;
  /** Where callers reach the service; the address that it listens on if not set. */
  readonly publicUrl: string;
  /** Unix ms; if absent, see `venueBegan`. */
  readonly venuesBegan: number | undefined;
  /** Empty if unset. */
  readonly trustedProxies: readonly string[];
  readonly streamsOff: readonly string[];
  readonly queryMemoryBytes: number;
  readonly parkedBytes: number;
  /** If absent, old rows stay where they are. */
  readonly cooling: ConfigCooling | undefined;
  /** Endpoint and credentials of backups at s3:// addresses. */
  readonly s3: {
    readonly endpoint: string | undefined;
    readonly region: string;
    readonly accessKeyId: string | undefined;
    readonly secretAccessKey: string | undefined;
    readonly sessionToken: string | undefined;
  };
  readonly upstream: Readonly<Record<string, string>>;
  /** Sentences for the log: variables that look like our settings but are not. */
  readonly warnings: readonly string[];
};

/** Destination of old rows, and the age in days at which they move. */
type ConfigCooling = {
  readonly place:
    | {
        readonly kind: "s3";
        readonly url: string;
        readonly keyId: string;
        readonly secret: string;
        readonly region: string;
      }
    | { readonly kind: "policy"; readonly policy: string };
  readonly afterDays: number;
};

/** The service cannot start with these settings; `message` has one line per invalid setting. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "ConfigError";
  }
}

const SSL_MODES = ["disable", "require", "verify-ca", "verify-full"];

const MEGABYTE = 1_000_000;

/** Reads the environment. Throws ConfigError; a secret never appears in its message. */
export function readConfig(environment: Environment = process.env): Config {
  const values = readValues(environment);
  const unsupported = findUnsupported(values);
  if (unsupported.length > 0) throw new ConfigError(unsupported);
  const given = Object.entries(values).filter(([name, value]) => isOf(UPSTREAM, name) && value !== undefined);
  return Object.freeze({
    ...plainSettings(values),
    dataDir: resolve(values.ALMANAC_DATA_DIR),
    publicUrl: values.ALMANAC_PUBLIC_URL ?? listeningUrl(values),
    trustedProxies: Object.freeze([...(values.TRUSTED_PROXIES ?? [])]),
    streamsOff: Object.freeze([...(values.STREAMS_OFF ?? [])]),
    queryMemoryBytes: values.QUERY_MEMORY_MB * MEGABYTE,
    parkedBytes: values.PARKED_MEGABYTES * MEGABYTE,
    cooling: coolingOf(values),
    s3: Object.freeze({
      endpoint: values.S3_ENDPOINT,
      region: values.S3_REGION,
      accessKeyId: values.S3_ACCESS_KEY_ID,
      secretAccessKey: values.S3_SECRET_ACCESS_KEY,
      sessionToken: values.S3_SESSION_TOKEN,
    }),
    upstream: Object.freeze(Object.fromEntries(given.map(([name, value]) => [name, String(value)]))),
    warnings: Object.freeze(findStrangers(environment)),
  });
}

const listeningUrl = ({ ALMANAC_HOST: host, ALMANAC_PORT: port }: SettingValues): string =>
  `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;

const isOf = (words: readonly string[], name: string): boolean => words.some((word) => name.startsWith(`${word}_`));

function plainSettings(values: SettingValues): PlainSettings {
  const plain = Object.entries(values).filter(([name]) => !isOf(REWORKED, name));
  return Object.fromEntries(plain.map(([name, value]) => [fieldOf(name), value])) as PlainSettings;
}

const fieldOf = (setting: string): string =>
  setting
    .replace(/^ALMANAC_/, "")
    .toLowerCase()
    .replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

export type SettingRow = {
  readonly name: string;
  /** With secrets and private parts of addresses hidden; null if unset. */
  readonly value: string | null;
  readonly source: "environment" | "default" | "unset";
  readonly meaning: string;
};

/** Every setting with its value, source and meaning. */
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

/** An empty variable counts as unset: compose files omit one that way. */
function sentIn(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  return value === undefined || value.trim() === "" ? undefined : value;
}

function readValues(environment: Environment): SettingValues {
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
  return Object.fromEntries(values) as SettingValues;
}

function coolingOf(values: SettingValues): ConfigCooling | undefined {
  const { COLD_S3_URL: url, COLD_S3_KEY_ID: keyId, COLD_S3_SECRET: secret, COLD_STORAGE_POLICY: policy } = values;
  const afterDays = values.BOOKS_COLD_AFTER_DAYS;
  if (policy !== undefined) return { place: { kind: "policy", policy }, afterDays };
  if (url === undefined || keyId === undefined || secret === undefined) return undefined;
  return { place: { kind: "s3", url, keyId, secret, region: values.COLD_S3_REGION }, afterDays };
}

function findStrangers(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith("ALMANAC_") && !(name in SETTINGS))
    .map((name) => `${name} is not a setting and has no effect; see 'almanac config'`);
}

/** One sentence for each combination of individually valid settings that is not supported. */
function findUnsupported(values: SettingValues): readonly string[] {
  return [
    ...clickhouseProblems(values),
    ...coldProblems(values),
    ...databaseProblems(values),
    ...kalshiProblems(values),
    ...workerProblems(values),
  ];
}

function clickhouseProblems({ CLICKHOUSE_CLUSTER: cluster, CLICKHOUSE_URL: url }: SettingValues): string[] {
  if (cluster !== undefined && url === undefined)
    return ["CLICKHOUSE_CLUSTER is set without CLICKHOUSE_URL: give the HTTP address of each of its nodes there"];
  if (cluster === undefined && url?.includes(","))
    return ["CLICKHOUSE_URL names several servers: set CLICKHOUSE_CLUSTER to the name of their cluster, or name one"];
  return [];
}

function coldProblems(values: SettingValues): string[] {
  const { COLD_S3_URL: url, COLD_S3_KEY_ID: key, COLD_S3_SECRET: secret, COLD_STORAGE_POLICY: policy } = values;
  const isServer = values.CLICKHOUSE_URL !== undefined;
  const given = [url, key, secret].filter((value) => value !== undefined).length;
  return [
    ...(given % 3 === 0 ? [] : ["COLD_S3_URL, COLD_S3_KEY_ID and COLD_S3_SECRET go together: set all three or none"]),
    ...(given > 0 && isServer
      ? [
          "COLD_S3_URL is for the embedded engine: with CLICKHOUSE_URL give its servers a storage policy and name it in COLD_STORAGE_POLICY",
        ]
      : []),
    ...(policy !== undefined && !isServer ? ["COLD_STORAGE_POLICY needs CLICKHOUSE_URL: else set COLD_S3_URL"] : []),
  ];
}

/** `prefer` and `allow` are refused: whether the connection is encrypted would silently depend on the server. */
function databaseProblems({ DATABASE_URL: address }: SettingValues): string[] {
  if (address === undefined) return [];
  const url = new URL(address);
  const modes = url.searchParams.getAll("sslmode");
  const hasRoot = url.searchParams.has("sslrootcert");
  if (url.hostname.includes(","))
    return ["DATABASE_URL names several servers: name one, or a proxy in front of them that knows the primary"];
  if (modes.length > 1 || modes.some((mode) => !SSL_MODES.includes(mode)))
    return [`DATABASE_URL has sslmode=${modes.join(" and ")}: expected one of ${SSL_MODES.join(", ")}`];
  if (modes.includes("verify-ca") && !hasRoot)
    return ["DATABASE_URL has sslmode=verify-ca and no sslrootcert: name the file with the authority's certificate"];
  return [];
}

function kalshiProblems({ KALSHI_KEY_ID: id, KALSHI_PRIVATE_KEY: key }: SettingValues): string[] {
  if ((id === undefined) === (key === undefined)) return [];
  return ["KALSHI_KEY_ID and KALSHI_PRIVATE_KEY go together: set both or neither"];
}

function workerProblems({ API_WORKERS: workers }: SettingValues): string[] {
  if (workers === 1 || process.platform === "linux") return [];
  return [`API_WORKERS is ${workers}: several workers need Linux, leave it at 1 here`];
}
