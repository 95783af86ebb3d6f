import { deflateRawSync, inflateRawSync } from "node:zlib";

const CHUNK_CHARACTERS = 65_536;

/** Lines by key, kept compressed: a large recording stays in a few megabytes and one key is read without the others. */
export class Shelf {
  readonly #packed = new Map<string, Buffer[]>();
  readonly #open = new Map<string, string>();

  add(key: string, line: string): void {
    const text = `${this.#open.get(key) ?? ""}${line}\n`;
    if (text.length < CHUNK_CHARACTERS) {
      this.#open.set(key, text);
      return;
    }
    const chunks = this.#packed.get(key) ?? [];
    chunks.push(deflateRawSync(text, { level: 1 }));
    this.#packed.set(key, chunks);
    this.#open.set(key, "");
  }

  has(key: string): boolean {
    return this.#open.has(key);
  }

  keys(): string[] {
    return [...this.#open.keys()];
  }

  /** Lines of a key in the order they came; empty for an unknown key. */
  lines(key: string): string[] {
    const packed = (this.#packed.get(key) ?? []).map((chunk) => inflateRawSync(chunk).toString());
    const lines = (packed.join("") + (this.#open.get(key) ?? "")).split("\n");
    lines.pop();
    return lines;
  }
}
