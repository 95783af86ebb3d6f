// The thread that writes serving indexes: see feed-thread.ts.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { createBirpc } from "birpc";
import { isDamaged } from "../../../ordered/ordered-store.ts";
import type { Store } from "../../../store/store.ts";
import { KeyVersions } from "../../key-versions.ts";
import { layoutOf } from "../../layout.ts";
import { TokenIndex } from "../../token-index.ts";
import { ServingWriter } from "../../writer.ts";
import { applyStored } from "../apply-stored.ts";
import { applyTokens } from "../apply-tokens.ts";
import { buildIndex, type Feed } from "../build-index.ts";
import { noteParts } from "../known-parts.ts";
import { type FedIndex, type MainCalls, type Outcome, type ThreadCalls, postMoving } from "./feed-calls.ts";

type Open = { readonly stop: AbortController; writer?: ServingWriter | undefined; tokens?: TokenIndex | undefined };

const port = parentPort;
if (port === null) throw new TypeError("this file must run as a thread of a service");
const opened = new Map<string, Open>();

const openOf = ({ folder }: FedIndex): Open => {
  const found = opened.get(folder) ?? { stop: new AbortController() };
  opened.set(folder, found);
  return found;
};

const close = async (folder: string): Promise<void> => {
  const open = opened.get(folder);
  opened.delete(folder);
  open?.stop.abort(new Error("the index is closed"));
  open?.writer?.close();
  open?.tokens?.close();
};

async function apply(...[index, left, comparing]: Parameters<ThreadCalls["apply"]>): Promise<{ isNew: boolean }> {
  const open = openOf(index);
  const feed = feedOf(index);
  if (index.kind === "tokens") {
    open.tokens ??= new TokenIndex(index.folder);
    return { isNew: await applyTokens(open.tokens, feed, comparing !== "no", open.stop.signal) };
  }
  const { served, folder, versions } = index;
  if (!existsSync(join(folder, layoutOf(served).schema))) throw new Error(`there is no index in ${folder}`);
  open.writer ??= ServingWriter.open(folder, served, new KeyVersions(versions));
  await applyStored(open.writer, { ...feed, served }, left, comparing);
  return { isNew: false };
}

async function note(index: FedIndex): Promise<void> {
  const { writer } = openOf(index);
  if (index.kind !== "rows" || writer === undefined) return;
  await noteParts(writer, { ...index, ...feedOf(index) }, () => main.settled(index.folder));
}

async function outcomeOf<Result>(work: Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await work };
  } catch (error) {
    if (isDamaged(error)) return { damage: String(error) };
    throw error;
  }
}

const calls: ThreadCalls = {
  apply: (...given) => outcomeOf(apply(...given)),
  note: (index) => outcomeOf(note(index)),
  build: async (index, maxBytes) => {
    if (index.kind !== "rows") throw new TypeError(`an index of ${index.kind} is built when it is applied to`);
    const { folder } = index;
    await buildIndex({
      ...index,
      ...feedOf(index),
      maxBytes,
      signal: openOf(index).stop.signal,
      onProgress: (progress) => void main.progress.asEvent(folder, progress),
      onReady: () => main.ready(folder),
      isSettled: () => main.settled(folder),
    });
  },
  close,
};

const main = createBirpc<MainCalls, ThreadCalls>(calls, {
  post: (message: unknown) => postMoving(port, message),
  on: (listener) => port.on("message", listener),
  timeout: -1,
});

function feedOf({ folder, table }: FedIndex): Omit<Feed, "served"> {
  const store: Feed["store"] = {
    read: async (statement, reading) => {
      const bytes = await main.read(folder, statement, reading);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
    rows: async <Row extends Record<string, unknown>>(...[statement]: Parameters<Store["rows"]>) =>
      (await main.rows(folder, statement)) as Row[],
  };
  return { table, store, readParts: () => main.parts(folder) };
}
