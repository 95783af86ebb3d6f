/** What a topology is made of. */
export type TopologyOptions = {
  /** 1 × 1 is one ClickHouse server. */
  readonly shards: number;
  readonly replicas: number;
  readonly apis: number;
  readonly ingests: number;
  readonly derives: number;
  /** LEASE_SECONDS of every process. */
  readonly leaseSeconds: number;
  /** Size of a small disk for the first ClickHouse node, where one can be mounted; 0 for none. */
  readonly diskMegabytes: number;
  readonly seed: number;
  /** How often everybody trades, times the usual. */
  readonly activity: number;
  /** Of the world, before anything starts. */
  readonly minutes: number;
  readonly events: number;
  readonly wallets: number;
  readonly kalshiMarkets: number;
  readonly folder: string;
};
