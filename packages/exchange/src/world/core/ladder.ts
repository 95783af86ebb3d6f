/**
 * An order on the YES ladder. Sizes in centi-shares (0.01 share); `yes` is its price in terms of outcome 0, 1e-4 USD.
 */
export interface Order {
  id: number;
  owner: number;
  outcome: 0 | 1;
  buy: boolean;
  yes: number;
  left: number;
}

/** Whether the order is a bid: buying YES and selling NO both rest on the bid side of the YES ladder. */
export function isBid(order: { outcome: 0 | 1; buy: boolean }): boolean {
  return order.buy === (order.outcome === 0);
}

export interface Level {
  price: number;
  total: number;
  orders: Order[];
  /** Orders before this index are gone. */
  head: number;
}

/** One side of a price-time-priority book: levels with the best price last, orders of a level oldest first. */
export class LadderSide {
  readonly levels: Level[] = [];
  /** 1: higher is better (bids). −1: lower is better (asks). */
  readonly sign: 1 | -1;

  constructor(sign: 1 | -1) {
    this.sign = sign;
  }

  best(): Level | undefined {
    return this.levels[this.levels.length - 1];
  }

  /** Whether an order of the other side at this price would trade here. */
  meets(price: number): boolean {
    const best = this.levels[this.levels.length - 1];
    return best !== undefined && (best.price - price) * this.sign >= 0;
  }

  add(order: Order): Level {
    const levels = this.levels;
    let i = levels.length - 1;
    let level = levels[i];
    while (level !== undefined && (level.price - order.yes) * this.sign > 0) {
      i -= 1;
      level = levels[i];
    }
    if (level === undefined || level.price !== order.yes) {
      level = { price: order.yes, total: 0, orders: [], head: 0 };
      levels.splice(i + 1, 0, level);
    }
    level.orders.push(order);
    level.total += order.left;
    return level;
  }

  find(price: number): Level | undefined {
    const levels = this.levels;
    for (let i = levels.length - 1; i >= 0; i -= 1) {
      const level = levels[i] as Level;
      if (level.price === price) return level;
      if ((level.price - price) * this.sign < 0) return undefined;
    }
    return undefined;
  }

  /**
   * Subtracts `size` from the order's level; the caller has lowered or will lower `order.left`. Empty levels are
   * removed.
   */
  lower(level: Level, size: number): void {
    level.total -= size;
    if (level.total === 0) this.levels.splice(this.levels.indexOf(level), 1);
  }

  /** Oldest order with remaining size. */
  first(level: Level): Order {
    let order = level.orders[level.head];
    while (order !== undefined && order.left === 0) {
      level.head += 1;
      order = level.orders[level.head];
    }
    if (order === undefined) throw new Error(`No order at level ${level.price} though it holds ${level.total}`);
    return order;
  }
}
