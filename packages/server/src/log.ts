import { pino, type DestinationStream, type Logger } from "pino";

/** Fields that hold credentials, in any logged object of ours or of a library. */
const SECRETS = [
  "authorization",
  "cookie",
  "token",
  "secret",
  "password",
  "api_key",
  "apiKey",
  "digest",
  "privateKey",
  "private_key",
];
const DEPTHS = ["", "*.", "*.*."];
const PATHS = DEPTHS.flatMap((depth) => SECRETS.map((name) => `${depth}${name}`));
const HEADERS = DEPTHS.flatMap((depth) => [`${depth}headers["set-cookie"]`, `${depth}headers["x-api-key"]`]);

const ANY_KEY = /alm_live_([a-z2-7]{6})[a-z2-7]{20}_[a-z2-7]{6}/g;
const ANY_BEARER = /\b(Bearer\s+)[^\s"'\\]+/gi;
const URL_PASSWORD = /(\w+:\/\/[^\s:/@"]*:)[^\s@/"]+@/g;

/**
 * Logs JSON lines to standard output (or `to`). Credentials are removed twice: known fields by name, and anything in a
 * finished line that looks like a key, a bearer token or a password in a URL (an error's text may quote one).
 */
export function createLog(level: string, to?: DestinationStream): Logger {
  const hooks = { streamWrite: clean };
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: [...PATHS, ...HEADERS], censor: "(hidden)" },
    hooks,
  };
  return to ? pino(options, to) : pino(options);
}

function clean(line: string): string {
  return line.replace(ANY_KEY, "alm_live_$1…").replace(ANY_BEARER, "$1(hidden)").replace(URL_PASSWORD, "$1(hidden)@");
}
