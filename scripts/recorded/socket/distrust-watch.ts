import type { Decoded } from "../../../packages/server/src/definition/connector.ts";
import { saidOf } from "./recorded-frame.ts";

/**
 * Which changes came while their token had no book to be trusted: before its first one, or between the change that
 * crossed it and the next whole one. A live service fetches a book over REST at once; recordings have none to fetch.
 */
export class DistrustWatch {
  readonly #trusted = new Set<string>();
  readonly untrusted = new Set<string>();

  readonly see = (frame: string, { broken = [] }: Decoded): void => {
    for (const { kind, token, key } of saidOf(frame)) {
      if (kind === "book") this.#trusted.add(token);
      else if (kind === "change" && !this.#trusted.has(token)) this.untrusted.add(key);
    }
    for (const { instrument } of broken) this.#trusted.delete(instrument);
  };
}
