import { text as readText } from "node:stream/consumers";
import { z } from "zod";
import type { BackupStorage } from "./storage.ts";

const FILE = "manifest.json";
const DRAFT = "draft.json";
const NAME = /^\d{4}-\d\d-\d\dT\d{6}Z$/;
/** The folder of the parts of all backups. */
export const PARTS = "parts/";

const checksum = { rows: z.string(), sum: z.string(), xor: z.string() };
const part = z.object({
  file: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  from: z.string().optional(),
  to: z.string().optional(),
  share: z.object({ index: z.int(), of: z.int() }).optional(),
  ...checksum,
});
/** A name, and its arguments in parentheses: a column's definition could go on after its type. */
const TYPE = /^\w+(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?$/;
const table = z.object({
  name: z.string(),
  columns: z.array(z.object({ name: z.string().regex(/^\w+$/), stored: z.string().regex(TYPE) })),
  parts: z.array(part),
});
const manifest = z.object({
  format: z.literal(1),
  name: z.string(),
  program: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  /** Schema versions of the rows and of the control records: numbers of migrations. */
  schema: z.int(),
  records_schema: z.int(),
  records: z.object({
    file: z.string(),
    bytes: z.int(),
    sha256: z.string(),
    tables: z.record(z.string(), z.object({ rows: z.int(), sha256: z.string() })),
  }),
  tables: z.array(table),
});

/** A slice of a table in a Parquet file, with the engine's checksum of its rows. */
export type BackupPart = z.output<typeof part>;
export type BackupTable = z.output<typeof table>;
/** The contents of a backup. It is written last: without a manifest there is no backup. */
export type Manifest = z.output<typeof manifest>;

/** Every file of a backup except its manifest. */
export const filesOf = ({ records, tables }: Manifest): (BackupPart | Manifest["records"])[] => [
  records,
  ...tables.flatMap(({ parts }) => parts),
];

/** The backup in whose own folder a file is; undefined for parts, and for files that are not ours. */
export function backupOf(file: string): string | undefined {
  const [name = ""] = file.split("/", 1);
  return NAME.test(name) ? name : undefined;
}

/** Names are timestamps, so the last by name is the newest. */
export const nameOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replaceAll(":", "")}Z`;

/** A name for a backup that begins: after all others, though the clock was set back, so that it becomes the newest. */
export async function newName(storage: BackupStorage, nowMs: number): Promise<string> {
  const names = [...(await listNames(storage)), ...(await listDrafts(storage))];
  const after = names.map((name) => Date.parse(name.replace(/(\d\d)(\d\d)(\d\dZ)$/, "$1:$2:$3")) + 1000);
  return nameOf(Math.max(nowMs, ...after));
}

export async function writeManifest(storage: BackupStorage, one: Manifest): Promise<void> {
  await storage.put(`${one.name}/${FILE}`, bytesOf(one));
}

/** Saves the progress of a backup, so that parts written already need not be written again if it is interrupted. */
export async function writeDraft(storage: BackupStorage, one: Manifest): Promise<void> {
  await storage.put(`${one.name}/${DRAFT}`, bytesOf(one));
}

export const removeDraft = (storage: BackupStorage, name: string): Promise<void> => storage.remove(`${name}/${DRAFT}`);

/** Returns the name of the file that it removed. */
export async function removeManifest(storage: BackupStorage, name: string): Promise<string> {
  const file = `${name}/${FILE}`;
  await storage.remove(file);
  return file;
}

/** A file is no manifest, or of a newer format. The message names it. */
export class UnreadableManifest extends Error {}

/** Throws StorageError, UnreadableManifest. */
export const readManifest = (storage: BackupStorage, name: string): Promise<Manifest> =>
  readOne(storage, `${name}/${FILE}`);

export const readDraft = (storage: BackupStorage, name: string): Promise<Manifest> =>
  readOne(storage, `${name}/${DRAFT}`);

/** The names of the complete backups, oldest first. */
export const listNames = (storage: BackupStorage): Promise<string[]> => namesWith(storage, FILE);

/** The names of the backups that were begun and not completed. */
export const listDrafts = (storage: BackupStorage): Promise<string[]> => namesWith(storage, DRAFT);

async function namesWith(storage: BackupStorage, file: string): Promise<string[]> {
  const files = await storage.list("");
  const names = files
    .filter(({ name }) => name.endsWith(`/${file}`))
    .map(({ name }) => name.slice(0, -file.length - 1));
  return names.filter((name) => NAME.test(name)).toSorted();
}

async function readOne(storage: BackupStorage, file: string): Promise<Manifest> {
  const parsed = manifest.safeParse(parseJson(await readText(await storage.get(file))));
  if (parsed.success) return parsed.data;
  throw new UnreadableManifest(
    `${storage.place}/${file} is not a backup manifest that this version can read: ${z.prettifyError(parsed.error)}`,
  );
}

/** Undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* bytesOf(one: Manifest): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(one, undefined, 1)}\n`);
}
