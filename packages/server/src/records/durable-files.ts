import { closeSync, fsync, fsyncSync, openSync } from "node:fs";
import { promisify } from "node:util";
import { NodeFS } from "@electric-sql/pglite/nodefs";

/** The parts of Emscripten's file system used here. */
type Stream = { readonly nfd: number; readonly node: unknown };
type NodeFiles = {
  readonly stream_ops: { fsync?: (stream: Stream) => number };
  readonly realPath: (node: unknown) => string;
};
type Module = { readonly FS: { readonly filesystems: { readonly NODEFS: NodeFiles } } };

export type DurableFiles = {
  readonly fs: NodeFS;
  /** Resolves when all requested syncs of the write-ahead log are done; throws if one failed. */
  readonly settled: () => Promise<void>;
  readonly close: () => void;
};

/** Makes the database sync its files; PGlite's own default does not. */
export const DURABLE_PARAMS = ["-c", "wal_sync_method=fsync"];

const later = promisify(fsync);

/**
 * PGlite's files on disk, with the call that Emscripten lacks: fsync. The write-ahead log is synced off the event loop,
 * and the statement waits for it (`settled`); the files of a checkpoint, which is rare, are synced synchronously and
 * after the log. So a committed transaction survives a power cut, not only a killed process.
 */
export function durableFiles(folder: string): DurableFiles {
  const segments = new Map<string, number>();
  let pending: Promise<void>[] = [];
  const sync = (stream: Stream, files: NodeFiles): number => {
    const path = files.realPath(stream.node);
    if (!path.includes("/pg_wal/")) {
      for (const fd of segments.values()) fsyncSync(fd);
      fsyncSync(stream.nfd);
      return 0;
    }
    // Our own descriptor: the database may close its own during the sync. Read access suffices to sync;
    // recovery after a crash syncs directories too, which cannot be opened for writing.
    const fd = segments.get(path) ?? openSync(path, "r");
    segments.set(path, fd);
    const synced = later(fd);
    synced.catch(() => {});
    pending.push(synced);
    return 0;
  };
  const close = (): void => {
    for (const fd of segments.values()) closeSync(fd);
    segments.clear();
  };
  return {
    fs: new SyncedNodeFS(folder, sync),
    settled: async () => {
      const requested = pending;
      pending = [];
      await Promise.all(requested);
      if (pending.length === 0 && segments.size > MAX_OPEN) close();
    },
    close,
  };
}

/** Segments are 16 MB each and reused in turn: more open descriptors than this are stale. */
const MAX_OPEN = 4;

class SyncedNodeFS extends NodeFS {
  readonly #sync: (stream: Stream, files: NodeFiles) => number;

  constructor(folder: string, sync: (stream: Stream, files: NodeFiles) => number) {
    super(folder);
    this.#sync = sync;
  }

  override async init(...options: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(...options);
    const addSync = (module: Module): void => {
      const files = module.FS.filesystems.NODEFS;
      files.stream_ops.fsync = (stream) => this.#sync(stream, files);
    };
    const before = [emscriptenOpts.preRun ?? []].flat();
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...before, addSync] as typeof before } };
  }
}
