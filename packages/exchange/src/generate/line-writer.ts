import { closeSync, openSync, writeSync } from "node:fs";

/** Writes objects as JSON lines to a file, a few hundred kilobytes at a time. */
export class LineWriter {
  private readonly file: number;
  private waiting: string[] = [];

  constructor(path: string) {
    this.file = openSync(path, "w");
  }

  write(line: object): void {
    this.waiting.push(JSON.stringify(line));
    if (this.waiting.length >= 1000) this.flush();
  }

  close(): void {
    this.flush();
    closeSync(this.file);
  }

  private flush(): void {
    if (this.waiting.length > 0) writeSync(this.file, `${this.waiting.join("\n")}\n`);
    this.waiting = [];
  }
}
