/** A process of the topology that can be ended and started again on the same address and data. */
export type Part = {
  readonly name: string;
  /** Ends it at once, as a crash does; resolves when it is gone. */
  readonly kill: () => Promise<void>;
  /** Resolves when it answers again. Does nothing where it runs. */
  readonly start: () => Promise<void>;
  /** SIGSTOP and SIGCONT; absent where it is not offered. */
  readonly freeze?: () => void;
  readonly thaw?: () => void;
};
