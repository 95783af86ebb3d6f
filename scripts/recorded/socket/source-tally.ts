import { Tally } from "../tally.ts";
import type { Said } from "./recorded-frame.ts";

/** What one recorded file says, by kind, and the changes that could not be applied when they came. */
export class SourceTally {
  readonly prints = new Tally();
  readonly books = new Tally();
  readonly changes = new Tally();
  readonly tokens = new Set<string>();
  given = { print: 0, book: 0, change: 0 };

  add(said: Said): void {
    this.tokens.add(said.token);
    this.given[said.kind] += 1;
    if (said.kind === "print") this.prints.add(said.key);
    else if (said.kind === "book") this.books.add(said.key, true);
    else this.changes.add(said.key);
  }
}
