import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { toPageFile, type PageFile } from "./page-file.ts";

/** The dashboard as built; empty where `folder` holds no index.html. Read once: a later build needs a new start. */
export function readPages(folder: string): readonly PageFile[] {
  if (!existsSync(join(folder, "index.html"))) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => toPageFile(`/${relative(folder, file).split(sep).join("/")}`, readFileSync(file)))
    .filter((page) => page !== undefined);
}
