interface Entry<T> {
  at: number;
  turn: number;
  item: T;
}

function isBefore<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.at < b.at || (a.at === b.at && a.turn < b.turn);
}

/** Priority queue of future items by time; equal times in insertion order. */
export class EventHeap<T> {
  private readonly entries: Entry<T>[] = [];
  private turn = 0;

  get size(): number {
    return this.entries.length;
  }

  /** Time of the next item; Infinity when there is none. */
  nextAt(): number {
    return this.entries[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Removes the next item. */
  peek(): T | undefined {
    return this.entries[0]?.item;
  }

  push(at: number, item: T): void {
    const entries = this.entries;
    const entry = { at, turn: this.turn, item };
    this.turn += 1;
    let place = entries.length;
    entries.push(entry);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = entries[parent];
      if (above === undefined || !isBefore(entry, above)) break;
      entries[place] = above;
      place = parent;
    }
    entries[place] = entry;
  }

  pop(): T | undefined {
    const entries = this.entries;
    const first = entries[0];
    const last = entries.pop();
    if (first === undefined || last === undefined) return undefined;
    if (entries.length > 0) this.sink(last);
    return first.item;
  }

  private sink(entry: Entry<T>): void {
    const entries = this.entries;
    const size = entries.length;
    let place = 0;
    for (;;) {
      let child = place * 2 + 1;
      if (child >= size) break;
      const right = entries[child + 1];
      let below = entries[child] as Entry<T>;
      if (right !== undefined && isBefore(right, below)) {
        below = right;
        child += 1;
      }
      if (!isBefore(below, entry)) break;
      entries[place] = below;
      place = child;
    }
    entries[place] = entry;
  }
}
