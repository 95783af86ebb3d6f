/** floor(a·b/c) without loss; c > 0. */
function share(a: number, b: number, c: number): number {
  const product = a * b;
  if (Math.abs(product) <= Number.MAX_SAFE_INTEGER) return Math.floor(product / c);
  const exact = BigInt(a) * BigInt(b);
  const divisor = BigInt(c);
  const quotient = exact / divisor;
  return Number(exact < 0n && exact % divisor !== 0n ? quotient - 1n : quotient);
}

/** Average-cost account of one wallet in one token, micro units. */
export interface Account {
  shares: number;
  cost: number;
  realized: number;
  fees: number;
}

/** Average-cost accounts of every wallet, by token number (market number × 2 + outcome). */
export class Ledger {
  private readonly wallets: Map<number, Map<number, Account>> = new Map();

  of(wallet: number): ReadonlyMap<number, Account> {
    return this.wallets.get(wallet) ?? new Map();
  }

  buy(wallet: number, token: number, shares: number, usd: number, fee: number): void {
    const account = this.account(wallet, token);
    account.shares += shares;
    account.cost += usd;
    account.fees += fee;
  }

  sell(wallet: number, token: number, shares: number, usd: number, fee: number): void {
    const account = this.account(wallet, token);
    account.realized += usd - this.release(account, shares);
    account.fees += fee;
  }

  /** Shares go at their own cost: no profit. Returns that cost. */
  giveUp(wallet: number, token: number, shares: number): number {
    return this.release(this.account(wallet, token), shares);
  }

  /** A profit that no sale of the token made. */
  gain(wallet: number, token: number, usd: number): void {
    this.account(wallet, token).realized += usd;
  }

  private release(account: Account, shares: number): number {
    const cost = account.shares === 0 ? 0 : share(account.cost, shares, account.shares);
    account.shares -= shares;
    account.cost -= cost;
    return cost;
  }

  private account(wallet: number, token: number): Account {
    let accounts = this.wallets.get(wallet);
    if (accounts === undefined) this.wallets.set(wallet, (accounts = new Map()));
    let account = accounts.get(token);
    if (account === undefined) accounts.set(token, (account = { shares: 0, cost: 0, realized: 0, fees: 0 }));
    return account;
  }
}
