import { Redis } from "ioredis";
import type { Logger } from "pino";
import { Counter, Gauge, type Registry } from "prom-client";

/** Whether Redis answers, judging by its replies so far. */
type Presence = {
  readonly isHere: () => boolean;
  /** Redis replied. */
  readonly answered: () => void;
  /** Redis did not reply, or not in time; `isConnected` is true if the connection is still open. */
  readonly failed: (isConnected: boolean) => void;
  /** Notes the reason of a failure, for the log. */
  readonly note: (error: unknown) => void;
  /** Logs that Redis is away, if nothing else will. */
  readonly sayAway: () => void;
};

type PresenceOptions = { readonly log: Pick<Logger, "warn" | "info">; readonly metrics: RedisMetrics };

/** Redis counts as away only after failing for this long: one pause of this process makes many replies late at once. */
const FAILING_MS = 150;

/** Away until the first reply. Each change is logged once. */
function createPresence({ log, metrics }: PresenceOptions): Presence {
  let isHere = false;
  let failingSince: number | undefined;
  let why = "no connection";
  const sayAway = (): void =>
    log.warn({ why }, "Redis does not answer: each process applies its own limits until it does");
  return {
    isHere: () => isHere,
    sayAway,
    answered: () => {
      failingSince = undefined;
      if (isHere) return;
      isHere = true;
      metrics.here(true);
      log.info("Redis answers: limits are shared between processes");
    },
    failed: (isConnected) => {
      const now = performance.now();
      failingSince ??= now;
      if (!isHere || (isConnected && now - failingSince < FAILING_MS)) return;
      isHere = false;
      metrics.here(false);
      sayAway();
    },
    // An error of ioredis can contain the failed command, even AUTH with its password, so only its message is logged.
    note: (error) => {
      why = error instanceof Error ? error.message : String(error);
    },
  };
}

/** Redis shared by several processes; it may be away at any time, and no call waits long for it. */
export type OpenRedis = {
  /** Commands fail at once without a connection, and otherwise after `commandMs`. */
  readonly client: Redis;
  /** The result of a command; undefined if Redis is away or too slow, and the caller does without. Never throws. */
  readonly ask: <T>(run: (client: Redis) => Promise<T>) => Promise<T | undefined>;
  /** Notifies the other processes; lost if Redis is away. */
  readonly publish: (channel: string) => void;
  /** Calls `heard` on each notification of any process, including this one, and whenever one may have been missed. */
  readonly listen: (channel: string, received: Listener) => void;
  readonly close: () => Promise<void>;
};

export type Listener = (what: "published" | "missed") => void;

export type RedisOptions = PresenceOptions & {
  /** Longest wait for one reply. */
  readonly commandMs?: number;
};

const COMMAND_MS = 50;
const CONNECT_MS = 1000;
const LOOK_MS = 500;
const FIRST_LOOKS = 3;
const MAX_RETRY_MS = 1000;
const PROBE_KEY = "almanac:probe";

/**
 * Connects to the Redis at a URL. Resolves within about a second even if there is none: while Redis does not answer,
 * callers do without it, this is logged once, and a probe every half second finds it again.
 */
export async function openRedis(
  url: string,
  { log, metrics, commandMs = COMMAND_MS }: RedisOptions,
): Promise<OpenRedis> {
  const client = toClient(url, commandMs);
  const presence = createPresence({ log, metrics });
  client.on("error", presence.note);
  const look = async (): Promise<void> => {
    if (presence.isHere() || client.status !== "ready") return;
    // The probe is a write, because a full Redis or a replica answers PING but accepts no writes.
    await client.set(PROBE_KEY, "1", "PX", 1000).then(presence.answered, presence.note);
  };
  // The "error" event alone reports why a connection failed.
  await client.connect().catch(() => undefined);
  for (let turn = 0; turn < FIRST_LOOKS; turn += 1) await look();
  if (!presence.isHere()) presence.sayAway();
  const timer = setInterval(() => void look(), LOOK_MS);
  timer.unref();
  const listeners = new Map<string, Listener[]>();
  const subscriber = listenTo(client, listeners, presence.note);
  return {
    client,
    ask: async (run) => {
      try {
        if (presence.isHere()) {
          const answer = await run(client);
          presence.answered();
          return answer;
        }
      } catch (error) {
        const isConnected = client.status === "ready";
        if (isConnected) presence.note(error);
        presence.failed(isConnected);
      }
      metrics.without();
      return undefined;
    },
    publish: (channel) => void client.publish(channel, "").catch(presence.note),
    listen: (channel, received) => {
      listeners.set(channel, [...(listeners.get(channel) ?? []), received]);
      if (subscriber.status === "ready") void subscriber.subscribe(channel).catch(presence.note);
    },
    close: async () => {
      clearInterval(timer);
      subscriber.disconnect();
      client.disconnect();
    },
  };
}

function toClient(url: string, commandMs: number): Redis {
  return new Redis(url, {
    lazyConnect: true,
    commandTimeout: commandMs,
    connectTimeout: CONNECT_MS,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 100, MAX_RETRY_MS),
  });
}

/**
 * A separate connection, which resubscribes after a break and then calls all listeners, since a notification may have
 * been missed. ioredis could resubscribe by itself, but throws if the connection breaks meanwhile.
 */
function listenTo(client: Redis, listeners: ReadonlyMap<string, readonly Listener[]>, note: Presence["note"]): Redis {
  const subscriber = client.duplicate({
    commandTimeout: undefined,
    enableAutoPipelining: false,
    autoResubscribe: false,
    lazyConnect: false,
  });
  const subscribe = async (): Promise<void> => {
    if (listeners.size === 0) return;
    try {
      await subscriber.subscribe(...listeners.keys());
      for (const received of [...listeners.values()].flat()) received("missed");
    } catch (error) {
      note(error);
    }
  };
  subscriber.on("error", () => undefined);
  subscriber.on("message", (channel: string) => listeners.get(channel)?.forEach((listener) => listener("published")));
  subscriber.on("ready", () => void subscribe());
  return subscriber;
}

export type RedisMetrics = {
  /** Sets whether Redis answers. */
  readonly here: (isHere: boolean) => void;
  /** Counts an operation that was done without Redis. */
  readonly without: () => void;
};

export function createRedisMetrics(registry: Registry): RedisMetrics {
  const registers = [registry];
  const up = new Gauge({
    name: "almanac_redis_up",
    help: "1 while Redis responds; 0 while each process enforces its limits on its own. Always 0 without REDIS_URL.",
    registers,
  });
  const without = new Counter({
    name: "almanac_redis_missed_total",
    help: "Calls that Redis did not answer in time; this process enforced their limits instead.",
    registers,
  });
  return { here: (isHere) => up.set(isHere ? 1 : 0), without: () => without.inc() };
}
