/** Rows by what names and says them. `add` what was recorded, `answer` what came back, then read the difference. */
export class Tally {
  readonly #counts = new Map<string, number>();
  #recorded = 0;
  #answered = 0;
  #setAside = 0;

  /** `once`: a row that was recorded twice is still one. False when it was known. */
  add(key: string, once = false): boolean {
    const known = this.#counts.get(key) ?? 0;
    if (once && known > 0) return false;
    this.#counts.set(key, known + 1);
    this.#recorded += 1;
    return true;
  }

  answer(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) - 1);
    this.#answered += 1;
  }

  /** Whether the row was recorded and is not answered yet. */
  has(key: string): boolean {
    return (this.#counts.get(key) ?? 0) > 0;
  }

  get recorded(): number {
    return this.#recorded;
  }

  get answered(): number {
    return this.#answered;
  }

  /** Takes a row off those to be answered: it was rightly not kept. False when it was answered after all. */
  setAside(key: string): boolean {
    if (!this.has(key)) return false;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) - 1);
    this.#setAside += 1;
    return true;
  }

  get asideCount(): number {
    return this.#setAside;
  }

  /** Recorded and not answered. */
  lost(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + Math.max(0, count), 0);
  }

  /** Answered more often than recorded, or not as recorded. */
  doubled(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + Math.max(0, -count), 0);
  }

  /** Some of the keys that differ, for people. */
  differences(most: number): readonly string[] {
    const found: string[] = [];
    for (const [key, count] of this.#counts) {
      if (count !== 0) found.push(`${count > 0 ? "lost" : "doubled"} ${key}`);
      if (found.length >= most) break;
    }
    return found;
  }
}
