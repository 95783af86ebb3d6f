import { Readable } from "node:stream";
import { z } from "zod";
import { digested, type Digest } from "./metered.ts";
import { isWorthRetrying, s3Client, TRIES, type S3Client, type S3Place, type S3Reply } from "./s3-client.ts";
import { StorageError, type BackupStorage, type StoredFile } from "./storage.ts";

/** S3 takes at most 10,000 parts of at least 5 MiB. */
const PART_BYTES = 16_777_216;

const pageSchema = z.object({
  ListBucketResult: z.object({
    Contents: z.array(z.object({ Key: z.string(), Size: z.string(), LastModified: z.string() })).default([]),
    IsTruncated: z.string().optional(),
    NextContinuationToken: z.string().optional(),
  }),
});
/** An element without content is parsed as an empty text. */
const uploadsSchema = z.object({
  ListMultipartUploadsResult: z.preprocess(
    (value) => (typeof value === "string" ? {} : value),
    z.object({
      Upload: z.array(z.object({ Key: z.string(), UploadId: z.string() })).default([]),
      IsTruncated: z.string().optional(),
      NextKeyMarker: z.string().optional(),
      NextUploadIdMarker: z.string().optional(),
    }),
  ),
});
const startSchema = z.object({ InitiateMultipartUploadResult: z.object({ UploadId: z.string() }) });
const endSchema = z.object({ CompleteMultipartUploadResult: z.object({}) });

/** Backups in a bucket of an S3-compatible server. Large files are uploaded in parts; a failed upload leaves none. */
export function s3Storage(place: S3Place, bucket: string, prefix: string): BackupStorage {
  const client = s3Client(place);
  const root = prefix === "" ? "" : `${prefix}/`;
  const keyOf = (name: string): string => `${root}${name}`;
  return {
    place: `s3://${bucket}/${prefix}`,
    put: (name, bytes) => put(client, { bucket, key: keyOf(name) }, bytes),
    get: async (name) => Readable.from(await get(client, { bucket, key: keyOf(name) }), { objectMode: false }),
    list: async (name) => {
      const files = await listAll(client, bucket, keyOf(name));
      return files.map(({ name: key, bytes, changedMs }) => ({ name: key.slice(root.length), bytes, changedMs }));
    },
    remove: (name) => client.ask({ method: "DELETE", bucket, key: keyOf(name) }).then(drained, ifAbsent),
    uploads: async () => {
      const found = await listUploads(client, bucket, root).catch(unlessUnsupported);
      return found.map(({ Key: key, UploadId: uploadId }) => ({
        name: key.slice(root.length),
        abort: () => client.ask({ method: "DELETE", bucket, key, query: { uploadId } }).then(drained, ifAbsent),
      }));
    },
    close: client.close,
  };
}

type Where = { readonly bucket: string; readonly key: string };

async function get(client: S3Client, where: Where): Promise<AsyncGenerator<Uint8Array>> {
  return goingOn(client, where, await client.ask({ ...where, method: "GET" }));
}

/** Reads an object to its end, and requests the rest of it if an answer is cut off. */
async function* goingOn(client: S3Client, where: Where, first: S3Reply): AsyncGenerator<Uint8Array> {
  let reply = first;
  let passed = 0;
  let skipped = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      for await (const chunk of reply.body) {
        const fresh = chunk.subarray(skipped);
        skipped -= chunk.length - fresh.length;
        passed += fresh.length;
        yield fresh;
      }
      return;
    } catch (error) {
      if (!isWorthRetrying(error) || attempt === TRIES) throw error;
    }
    // The last byte is requested again: a range that begins at the end of an object is refused.
    const from = Math.max(0, passed - 1);
    skipped = passed - from;
    reply = await client.ask({ ...where, method: "GET", ...(from === 0 ? {} : { from }) });
    if (reply.headers["etag"] !== first.headers["etag"] || (from > 0 && reply.headers["content-range"] === undefined))
      throw new StorageError("failed", `s3://${where.bucket}/${where.key} changed while it was read`);
  }
}

async function put(client: S3Client, where: Where, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const { bytes: counted, digest } = digested(bytes);
  const parts = inParts(counted);
  const first = await parts.next();
  const second = await parts.next();
  if (first.done === true || second.done === true) {
    await drained(await client.ask({ ...where, method: "PUT", body: first.value ?? Buffer.alloc(0) }));
    return;
  }
  const { InitiateMultipartUploadResult } = await client.askXml(
    { ...where, method: "POST", query: { uploads: "" } },
    startSchema,
  );
  const upload = { uploadId: InitiateMultipartUploadResult.UploadId };
  try {
    const tags = [
      await putPart(client, where, upload, 1, first.value),
      await putPart(client, where, upload, 2, second.value),
    ];
    for await (const part of parts) tags.push(await putPart(client, where, upload, tags.length + 1, part));
    const listed = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
    const body = Buffer.from(`<CompleteMultipartUpload>${listed.join("")}</CompleteMultipartUpload>`);
    await client.askXml({ ...where, method: "POST", query: upload, body }, endSchema).catch(async (error: unknown) => {
      ifAbsent(error);
      if (!(await hasContent(client, where, digest()))) throw error;
    });
  } catch (error) {
    await client.ask({ ...where, method: "DELETE", query: upload }).then(drained, () => undefined);
    throw error;
  }
}

/** Whether an object is this one: an upload whose completion was answered, and the answer lost, is unknown afterwards. */
async function hasContent(client: S3Client, where: Where, { sha256 }: Digest): Promise<boolean> {
  const found = digested(await get(client, where));
  for await (const _ of found.bytes);
  return found.digest().sha256 === sha256;
}

async function putPart(client: S3Client, where: Where, upload: { uploadId: string }, number: number, body: Buffer) {
  const reply = await client.ask({ ...where, method: "PUT", query: { partNumber: String(number), ...upload }, body });
  await drained(reply);
  return String(reply.headers["etag"]).replaceAll('"', "&quot;");
}

/** Splits bytes into pieces of one size, the last one smaller. */
async function* inParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, undefined> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    held.push(chunk);
    size += chunk.length;
    while (size >= PART_BYTES) {
      const all = Buffer.concat(held);
      yield all.subarray(0, PART_BYTES);
      held = [all.subarray(PART_BYTES)];
      size -= PART_BYTES;
    }
  }
  if (size > 0) yield Buffer.concat(held);
  return undefined;
}

async function listAll(client: S3Client, bucket: string, prefix: string): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  let token: string | undefined;
  do {
    const query = { "list-type": "2", prefix, ...(token === undefined ? {} : { "continuation-token": token }) };
    const { ListBucketResult: page } = await client.askXml({ method: "GET", bucket, query }, pageSchema);
    for (const { Key, Size, LastModified } of page.Contents)
      files.push({ name: Key, bytes: Number(Size), changedMs: Date.parse(LastModified) });
    token = page.IsTruncated === "true" ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
  return files;
}

type Uploads = z.output<typeof uploadsSchema>["ListMultipartUploadsResult"]["Upload"];

async function listUploads(client: S3Client, bucket: string, prefix: string): Promise<Uploads> {
  const found: Uploads = [];
  let place: Readonly<Record<string, string>> | undefined = {};
  while (place !== undefined) {
    const query: Readonly<Record<string, string>> = { uploads: "", prefix, ...place };
    const listed = await client.askXml({ method: "GET", bucket, query }, uploadsSchema);
    const { Upload, IsTruncated, NextKeyMarker: key, NextUploadIdMarker: id = "" } = listed.ListMultipartUploadsResult;
    found.push(...Upload);
    place = IsTruncated === "true" && key !== undefined ? { "key-marker": key, "upload-id-marker": id } : undefined;
  }
  return found;
}

/** Some servers cannot list uploads, and some keys may not. */
function unlessUnsupported(error: unknown): Uploads {
  if (error instanceof StorageError && (error.problem === "failed" || error.problem === "refused")) return [];
  throw error;
}

/** An upload that was completed meanwhile, or what another process, or a request whose answer was lost, deleted. */
function ifAbsent(error: unknown): void {
  if (!(error instanceof StorageError && error.problem === "absent")) throw error;
}

async function drained({ body }: Pick<S3Reply, "body">): Promise<void> {
  for await (const _ of body);
}
