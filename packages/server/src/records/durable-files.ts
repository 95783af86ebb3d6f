import { closeSync, fsync, fsyncSync, openSync } from "node:fs";
import { promisify } from "node:util";
import { NodeFS } from "@electric-sql/pglite/nodefs";

/** What of Emscripten's file system is touched here. */
type Stream = { readonly nfd: number; readonly node: unknown };
type NodeFiles = {
  readonly stream_ops: { fsync?: (stream: Stream) => number };
  readonly realPath: (node: unknown) => string;
};
type Module = { readonly FS: { readonly filesystems: { readonly NODEFS: NodeFiles } } };

export type DurableFiles = {
  readonly fs: NodeFS;
  /** Resolves when every write-ahead log that the database wanted on the disk is there; throws when one could not be. */
  readonly settled: () => Promise<void>;
  readonly close: () => void;
};

/** With these the database asks for its files to be on the disk; PGlite's own default is not to ask. */
export const DURABLE_PARAMS = ["-c", "wal_sync_method=fsync"];

const later = promisify(fsync);

/**
 * PGlite's files on the disk, with the one call that Emscripten leaves out: fsync. The write-ahead log is synced beside
 * the event loop, and whoever ran the statement waits for it (`settled`); the files of a checkpoint, which is rare, are
 * synced at once and after the log. So a committed transaction survives a power cut, not only a killed process.
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
    // Our own descriptor: the database may close its one while the disk is still at work. To sync, reading is enough;
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
      const asked = pending;
      pending = [];
      await Promise.all(asked);
      if (pending.length === 0 && segments.size > MAX_OPEN) close();
    },
    close,
  };
}

/** Segments are 16 MB each and reused in turn: more open ones than this are old. */
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
