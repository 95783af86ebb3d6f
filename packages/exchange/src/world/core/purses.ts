/** Cash of every wallet, micro USD. The cost of resting buy orders is locked. Exact: doubles hold these integers. */
export class Purses {
  readonly cash: Float64Array;
  readonly locked: Float64Array;
  /** Total cash brought in from outside. */
  readonly deposited: Float64Array;

  constructor(count: number) {
    this.cash = new Float64Array(count);
    this.locked = new Float64Array(count);
    this.deposited = new Float64Array(count);
  }

  free(wallet: number): number {
    return (this.cash[wallet] as number) - (this.locked[wallet] as number);
  }

  deposit(wallet: number, micro: number): void {
    this.cash[wallet] = (this.cash[wallet] as number) + micro;
    this.deposited[wallet] = (this.deposited[wallet] as number) + micro;
  }

  add(wallet: number, micro: number): void {
    this.cash[wallet] = (this.cash[wallet] as number) + micro;
  }

  lock(wallet: number, micro: number): void {
    this.locked[wallet] = (this.locked[wallet] as number) + micro;
  }

  /** Cash now minus cash brought in: exact cash profit, open positions valued at zero. */
  profit(wallet: number): number {
    return (this.cash[wallet] as number) - (this.deposited[wallet] as number);
  }
}
