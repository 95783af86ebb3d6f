const MOST = 5000;

/** Times between candles without trades, so that the axis is linear in time; none if there are too many. */
export function emptyTimes(times: readonly number[], stepS: number, most = MOST): number[] {
  const empty: number[] = [];
  for (const [index, time] of times.entries()) {
    const next = times[index + 1];
    if (next === undefined) break;
    for (let at = time + stepS; at < next; at += stepS) {
      empty.push(at);
      if (times.length + empty.length > most) return [];
    }
  }
  return empty;
}
