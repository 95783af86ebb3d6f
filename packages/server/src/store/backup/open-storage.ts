import { folderStorage } from "./folder-storage.ts";
import type { S3Place } from "./s3-client.ts";
import { s3Storage } from "./s3-storage.ts";
import { StorageError, type BackupStorage } from "./storage.ts";

/** The credentials of S3, so far as they are set. */
export type S3Settings = { readonly [K in keyof S3Place]?: S3Place[K] | undefined };

const REGION = "us-east-1";

/** A folder, or `s3://bucket/prefix`. Throws StorageError where what S3 needs is not set. */
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
