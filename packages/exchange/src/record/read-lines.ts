import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { PassThrough, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** Lines of a text file, plain or `.gz`, as a stream: memory holds one chunk, and stopping early closes the file. */
export async function* readLines(file: string): AsyncGenerator<string> {
  const text = open(file);
  let rest = "";
  for await (const chunk of text) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
  }
  if (rest !== "") yield rest;
}

function open(file: string): Readable {
  if (!file.endsWith(".gz")) return createReadStream(file, { encoding: "utf8" });
  const text = new PassThrough();
  text.setEncoding("utf8");
  pipeline(createReadStream(file), createGunzip(), text).catch((error: Error) => text.destroy(error));
  return text;
}
