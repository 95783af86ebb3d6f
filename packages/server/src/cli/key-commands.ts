import { listKeys, revokeKey, createKey, rotateKey, setKeyLimit, setKeyMode, type KeySummary } from "../access/keys.ts";
import { requireKnownDatasets } from "../access/known-datasets.ts";
import { KEY_MODES, type KeyMode } from "../definition/vocabulary.ts";
import { CommandError, group, type Catalogue } from "./command.ts";
import type { AnyCommand } from "./run-command-line.ts";
import { adminCommand, listCommand } from "./admin-command.ts";
import { wholeNumber, readDuration, readTimestamp } from "./read-options.ts";

const KEY = { type: "positional", required: true, description: "Key id, public prefix, or the key itself" } as const;

const MODE = "How its requests are parsed: strict, or compatible with programs written for another service";

const LIMIT = {
  "requests-per-minute": { type: "string", description: "Its own limit within the account's: requests a minute" },
  burst: { type: "string", description: "Its own limit within the account's: burst of requests" },
} as const;

const NO_LIMIT = { requests_per_minute: null, burst: null };

type LimitArgs = { readonly "requests-per-minute"?: string | undefined; readonly burst?: string | undefined };

/** Undefined if no limit is given. */
function readLimit({ "requests-per-minute": rate, burst }: LimitArgs) {
  const limit = {
    requests_per_minute: wholeNumber("requests-per-minute", rate),
    burst: wholeNumber("burst", burst),
  };
  return limit.requests_per_minute === undefined && limit.burst === undefined ? undefined : limit;
}

const create = (catalogue: Catalogue) =>
  adminCommand({
    name: "create",
    description: "Create an API key; it is shown once",
    args: {
      account: { type: "string", required: true, description: "Account id or e-mail address" },
      name: { type: "string", description: "What the key is for" },
      expires: { type: "string", description: "A time (2027-01-31, ISO-8601) or a duration from now (90d, 12h)" },
      datasets: { type: "string", description: "Only these agent ids, separated by commas" },
      mode: { type: "string", default: "strict", description: MODE },
      ...LIMIT,
    },
    run: async (admin, { account, name, expires, datasets, mode, ...limit }) => {
      const agentIds = datasets === undefined ? undefined : readAgentIds(datasets);
      if (agentIds !== undefined) requireKnownDatasets(await catalogue(), agentIds);
      const { key, summary } = await createKey(admin, {
        account,
        name,
        expires: expires === undefined ? undefined : expiryFrom(expires, admin.clock()),
        datasets: agentIds,
        mode: readMode(mode),
        ...readLimit(limit),
      });
      return {
        value: { key, ...summary },
        text: `${key}\nThis is the only time the key is shown. It is known as ${summary.id} (${summary.prefix}…).`,
      };
    },
  });

function expiryFrom(text: string, now: number): Date {
  const duration = readDuration(text);
  return duration === undefined ? readTimestamp("expires", text) : new Date(now + duration);
}

/** Agent ids separated by commas. */
function readAgentIds(text: string): number[] {
  return text.split(",").map((part) => {
    if (!/^\s*\d{1,9}\s*$/.test(part)) {
      throw new CommandError(2, `--datasets has "${part}": expected agent ids separated by commas, e.g. 556,574`);
    }
    return Number(part);
  });
}

function readMode(text: string): KeyMode {
  const mode = KEY_MODES.find((known) => known === text);
  if (mode === undefined) throw new CommandError(2, `--mode is "${text}": expected ${KEY_MODES.join(" or ")}`);
  return mode;
}

const list = listCommand({
  of: "key",
  more: "; the keys themselves are not stored",
  isByAccount: true,
  read: (admin, { account, after }) => listKeys(admin, account, after),
  linesOf: (page) => page.keys,
  columns: {
    ID: "id",
    PREFIX: "prefix",
    NAME: "name",
    ACCOUNT: "account_id",
    STATE: "state",
    MODE: "mode",
    "REQUESTS/MIN": "requests_per_minute",
    BURST: "burst",
    DATASETS: "datasets",
    EXPIRES: "expires_at",
    "LAST USED": "last_used_at",
    "REPLACED BY": "replaced_by",
  },
});

const edit = adminCommand({
  name: "edit",
  description: "Change a key's mode or limit; it applies everywhere within one second",
  args: {
    key: KEY,
    mode: { type: "string", description: MODE },
    ...LIMIT,
    unlimited: { type: "boolean", description: "Remove the key's own limit: its account's still applies" },
  },
  run: async (admin, { key, mode, unlimited, ...args }) => {
    const limit = readLimit(args);
    if (unlimited === true && limit !== undefined) {
      throw new CommandError(2, "--unlimited removes the limit that the other options would set");
    }
    const wanted = unlimited === true ? NO_LIMIT : limit;
    if (mode === undefined && wanted === undefined) {
      throw new CommandError(2, "nothing to change: give --mode, --requests-per-minute with --burst, or --unlimited");
    }
    const read = mode === undefined ? undefined : readMode(mode);
    let edited = wanted === undefined ? undefined : await setKeyLimit(admin, key, wanted);
    if (read !== undefined) edited = await setKeyMode(admin, key, { mode: read });
    return { value: edited, text: edited === undefined ? "" : describeKey(edited) };
  },
});

function describeKey({ id, prefix, mode, requests_per_minute: rate, burst }: KeySummary): string {
  const limit = rate === null ? "no limit of its own" : `${rate} requests a minute and a burst of ${burst}`;
  return `Key ${id} (${prefix}…) is ${mode}, with ${limit}.`;
}

const revoke = adminCommand({
  name: "revoke",
  description: "Revoke a key permanently; it is refused everywhere within one second",
  args: { key: KEY },
  run: async (admin, { key }) => {
    const revoked = await revokeKey(admin, key);
    return { value: revoked, text: `Key ${revoked.id} (${revoked.prefix}…) is revoked.` };
  },
});

const rotate = adminCommand({
  name: "rotate",
  description: "Replace a key by a new one, shown once; the old one still works for a while",
  args: {
    key: KEY,
    overlap: { type: "string", default: "24h", description: "How long the old key still works, e.g. 30m, 24h, 7d" },
  },
  run: async (admin, { key, overlap }) => {
    const overlapMs = readDuration(overlap);
    if (overlapMs === undefined) throw new CommandError(2, `--overlap is "${overlap}": expected e.g. 30m, 24h or 7d`);
    const rotated = await rotateKey(admin, key, overlapMs);
    const ends = rotated.replaced.expires_at?.toISOString() ?? "now";
    return {
      value: { key: rotated.key, ...rotated.summary, replaces: rotated.replaced },
      text: `${rotated.key}\nThis is the only time the key is shown. The old one (${rotated.replaced.prefix}…) works until ${ends}.`,
    };
  },
});

export const keyCommands = (catalogue: Catalogue): AnyCommand =>
  group("key", "Create, list, edit, rotate and revoke API keys", {
    create: create(catalogue),
    list,
    edit,
    revoke,
    rotate,
  });
