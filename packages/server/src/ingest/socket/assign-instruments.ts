export type Plan = {
  readonly changes: readonly { readonly number: number; readonly added: string[]; readonly removed: string[] }[];
  /** Sockets left without instruments. */
  readonly empty: readonly number[];
  /** Instruments of the sockets to open. */
  readonly fresh: readonly (readonly string[])[];
  /** How many found no place. */
  readonly leftOut: number;
};

/** Keeps instruments on the socket they are on, fills free places first, opens sockets for the rest. */
export function assignInstruments(
  sockets: ReadonlyMap<number, { readonly instruments: ReadonlySet<string> }>,
  wanted: readonly string[],
  perSocket: number,
  maxSockets: number,
): Plan {
  const want = new Set(wanted);
  const placed = new Set<string>();
  for (const { instruments } of sockets.values()) for (const instrument of instruments) placed.add(instrument);
  const waiting = [...want].filter((instrument) => !placed.has(instrument));
  const changes = [...sockets].map(([number, { instruments }]) => {
    const removed = [...instruments].filter((instrument) => !want.has(instrument));
    const room = Math.max(0, perSocket - (instruments.size - removed.length));
    return { number, removed, added: waiting.splice(0, room), left: instruments.size - removed.length };
  });
  const empty = changes.filter(({ added, left }) => added.length + left === 0).map(({ number }) => number);
  const fresh: string[][] = [];
  while (waiting.length > 0 && sockets.size - empty.length + fresh.length < maxSockets) {
    fresh.push(waiting.splice(0, perSocket));
  }
  return { changes, empty, fresh, leftOut: waiting.length };
}
