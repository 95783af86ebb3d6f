import type { S3Place } from "./s3-client.ts";
import { s3Storage } from "./s3-storage.ts";
import { StorageError, type BackupStorage, type StoredFile } from "./storage.ts";
import { createReadStream } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { Readable } from "node:stream";
import { makeFolder } from "../../definition/make-folder.ts";

const DRAFT = ".part";

/** Backups in a folder of this machine. */
function folderStorage(folder: string): BackupStorage {
  const root = resolve(folder);
  const pathOf = (name: string): string => join(root, ...name.split("/"));
  return {
    place: root,
    put: (name, bytes) => reported(root, name, () => write(pathOf(name), bytes)),
    get: (name) =>
      reported(root, name, async () => {
        await stat(pathOf(name));
        return Readable.from(readReported(root, name, createReadStream(pathOf(name))), { objectMode: false });
      }),
    list: (prefix) => reported(root, prefix, () => list(root, prefix)),
    remove: (name) => reported(root, name, () => rm(pathOf(name), { force: true })),
    // `list` has them.
    uploads: async () => [],
    close: async () => {},
  };
}

/** Written under another name until it is complete and on the disk. */
async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  makeFolder(dirname(path));
  const draft = `${path}${DRAFT}`;
  const file = await open(draft, "w", 0o600);
  try {
    for await (const chunk of bytes) await file.writeFile(chunk);
    await file.sync();
  } catch (error) {
    // A full disk would stay full.
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(draft, path);
  const parent = await open(dirname(path), "r");
  try {
    await parent.sync();
  } finally {
    await parent.close();
  }
}

/** Lists drafts too: a killed process leaves the one that it was writing, and pruning has to find it. */
async function list(root: string, prefix: string): Promise<StoredFile[]> {
  const start = join(root, ...prefix.split("/").slice(0, -1));
  const found = (await readdir(start, { recursive: true, withFileTypes: true }).catch(undefinedIfAbsent)) ?? [];
  const files = found.filter((entry) => entry.isFile());
  const listed = await Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const known = await stat(path).catch(undefinedIfAbsent);
      const name = relative(root, path).replaceAll("\\", "/");
      return known === undefined ? [] : [{ name, bytes: known.size, changedMs: known.mtimeMs }];
    }),
  );
  return listed
    .flat()
    .filter(({ name }) => name.startsWith(prefix))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** A draft that is completed, or a file that is removed, while its folder is listed, is gone. */
function undefinedIfAbsent(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
}

async function reported<T>(root: string, name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStorageError(root, name, error);
  }
}

async function* readReported(root: string, name: string, file: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* file;
  } catch (error) {
    throw toStorageError(root, name, error);
  }
}

/** Errors of other origin stay as they are. */
function toStorageError(root: string, name: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  const path = join(root, name);
  if (code === "ENOENT") return new StorageError("absent", `${path} does not exist`, error);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return new StorageError("refused", `${path} is not readable or writable by this user`, error);
  if (code === "ENOSPC") return new StorageError("full", `the disk of ${root} is full`, error);
  return new StorageError("failed", `${path}: ${(error as Error).message}`, error);
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" && "syscall" in error
    ? error.code
    : undefined;

/** The S3 settings, as far as they are set. */
export type S3Settings = { readonly [K in keyof S3Place]?: S3Place[K] | undefined };

const REGION = "us-east-1";

/** A folder, or `s3://bucket/prefix`. Throws StorageError if a setting that S3 needs is missing. */
export function openStorage(where: string, settings: S3Settings): BackupStorage {
  if (!where.startsWith("s3://")) return folderStorage(where);
  const [bucket = "", ...rest] = where.slice("s3://".length).split("/");
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new StorageError("failed", `${where} names no bucket: expected s3://bucket/prefix`);
  const prefix = rest.filter((part) => part !== "").join("/");
  const { accessKeyId, secretAccessKey, region = REGION, sessionToken } = settings;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new StorageError("refused", `${where} needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY`);
  const endpoint = settings.endpoint ?? `https://s3.${region}.amazonaws.com`;
  return s3Storage({ endpoint, region, accessKeyId, secretAccessKey, sessionToken }, bucket, prefix);
}
