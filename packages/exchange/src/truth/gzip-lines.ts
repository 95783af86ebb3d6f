import { appendFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

/** Lines of JSON in a .gz file. Each flush appends a whole gzip member, so that the file is readable at any time. */
export class GzipLines {
  readonly path: string;
  lines = 0;
  private waiting: string[] = [];

  /** Empties the file. */
  constructor(path: string) {
    this.path = path;
    writeFileSync(path, gzipSync(""));
  }

  write(line: object): void {
    this.waiting.push(JSON.stringify(line));
    this.lines += 1;
    if (this.waiting.length >= 20_000) this.flush();
  }

  flush(): void {
    if (this.waiting.length === 0) return;
    appendFileSync(this.path, gzipSync(`${this.waiting.join("\n")}\n`, { level: 1 }));
    this.waiting = [];
  }
}
