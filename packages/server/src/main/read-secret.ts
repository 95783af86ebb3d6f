import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The secret that signs cursors: made once in the data folder, readable by the owner only. */
export function readSecret(dataDir: string): Buffer {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "secret");
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, randomBytes(32).toString("hex"), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return Buffer.from(readFileSync(file, "utf8").trim(), "hex");
}
