export const ABUSES = ["expensive", "idle", "strangers", "slow"] as const;
export type AbuseName = (typeof ABUSES)[number];

export type Scene = {
  readonly name: string;
  readonly about: string;
  readonly abuses: readonly AbuseName[];
  /** Whether fills are stored at the same time. */
  readonly isStoring: boolean;
};

/** Loads that the paying key runs against, one after another. The first is the baseline. */
export const SCENES: readonly Scene[] = [
  { name: "alone", about: "nobody else", abuses: [], isStoring: false },
  {
    name: "expensive",
    about:
      "a free account sends the most expensive queries allowed with all its keys, at the full concurrency of its plan",
    abuses: ["expensive"],
    isStoring: false,
  },
  {
    name: "idle",
    about: "one address opens idle connections, and reopens those that are closed",
    abuses: ["idle"],
    isStoring: false,
  },
  {
    name: "strangers",
    about: "64 connections send made-up keys as fast as they are answered, half of them with a right checksum",
    abuses: ["strangers"],
    isStoring: false,
  },
  {
    name: "slow",
    about: "200 clients each request eight large answers at once and read 1 kB/s",
    abuses: ["slow"],
    isStoring: false,
  },
  { name: "ingest", about: "300 fills a second are stored", abuses: [], isStoring: true },
  { name: "all", about: "all of these together", abuses: ABUSES, isStoring: true },
  {
    name: "alone again",
    about: "nobody else: how much two identical runs differ on this machine",
    abuses: [],
    isStoring: false,
  },
];

/** The service under abuse, and what the abusers were given. */
export type Target = {
  readonly baseUrl: string;
  /** Keys of the free account. */
  readonly keys: readonly string[];
  readonly wallets: readonly string[];
  /** The last UTC day of the world. */
  readonly lastDay: string;
  /** Concurrent requests allowed to one account of the free plan. */
  readonly atOnce: number;
  readonly idleSockets: number;
};
export type Reported = { readonly begin: readonly AbuseName[]; readonly target: Target } | "end";
/** Counts by outcome: statuses, codes of broken connections, or other counters. */
export type Got = Readonly<Record<string, number>>;
export type Abuse = (target: Target, signal: AbortSignal) => Promise<Got>;

/** Own local address per abuse, so that each has its own limits, as remote abusers would. */
export const addressOf = (abuse: AbuseName): string => ADDRESSES[abuse];

const ADDRESSES: Readonly<Record<AbuseName, string>> = {
  expensive: "127.0.0.2",
  idle: "127.0.0.3",
  strangers: "127.0.0.4",
  slow: "127.0.0.5",
};
