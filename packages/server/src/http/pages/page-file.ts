import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const brotlied = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Below this size compression saves too little. */
const MIN_COMPRESSED_BYTES = 600;

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  map: "application/json; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
};
const PACKED = new Set(["image/png", "font/woff2"]);

export type PageCoding = "br" | "gzip";

/** One file of the dashboard, held in memory; compressed bodies are made on first request and kept. */
export type PageFile = {
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  /** Its name contains a digest of its content, so it never changes. */
  readonly isHashed: boolean;
  readonly body: (coding: PageCoding | undefined) => Promise<Buffer>;
  readonly isPacked: boolean;
};

/** Creates the file at `path` (as requested, with leading slash); undefined for a file type that is not served. */
export function toPageFile(path: string, bytes: Buffer): PageFile | undefined {
  const type = TYPES[path.slice(path.lastIndexOf(".") + 1)];
  if (type === undefined) return undefined;
  const kept = new Map<PageCoding, Promise<Buffer>>();
  const body = (coding: PageCoding | undefined): Promise<Buffer> => {
    if (coding === undefined) return Promise.resolve(bytes);
    const made = kept.get(coding) ?? pack(bytes, coding);
    kept.set(coding, made);
    return made;
  };
  return {
    path,
    type,
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    isHashed: path.startsWith("/assets/"),
    body,
    isPacked: PACKED.has(type) || bytes.length < MIN_COMPRESSED_BYTES,
  };
}

function pack(bytes: Buffer, coding: PageCoding): Promise<Buffer> {
  if (coding === "gzip") return gzipped(bytes, { level: 9 });
  return brotlied(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}
