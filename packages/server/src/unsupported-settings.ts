import type { SettingValues } from "./settings.ts";

const SSL_MODES = ["disable", "require", "verify-ca", "verify-full"];

/** A sentence for each thing that the settings, right one by one, cannot have. */
export function findUnsupported(values: SettingValues): readonly string[] {
  return [
    ...clickhouseProblems(values),
    ...coldProblems(values),
    ...databaseProblems(values),
    ...kalshiProblems(values),
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

/** `prefer` and `allow` are not taken: whether anything is encrypted would hang on the server, silently. */
function databaseProblems({ DATABASE_URL: address }: SettingValues): string[] {
  if (address === undefined) return [];
  const url = new URL(address);
  const modes = url.searchParams.getAll("sslmode");
  const hasRoot = url.searchParams.has("sslrootcert");
  if (url.hostname.includes(","))
    return [
      "DATABASE_URL names several servers: name one, or what stands before them and knows which of them is primary",
    ];
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
