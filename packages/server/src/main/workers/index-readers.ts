import type { IndexStatus } from "../open-indexes.ts";

type Opened<Reader> = { readonly generation: number; readonly reader: Reader | undefined };

export type IndexReaders<Reader> = {
  /** The reader of a table's index in the generation of the owner's last status; undefined where it cannot be opened. */
  readonly of: (table: string, status: IndexStatus) => Reader | undefined;
  /** It could not be read: it is opened again when it is next asked for. */
  readonly drop: (table: string) => void;
  readonly close: () => void;
};

/** Opens indexes that the owner writes, each again when the owner has another one. `open` may throw. */
export function indexReaders<Reader extends { readonly close: () => void }>(
  open: (table: string) => Reader | undefined,
  failed: (table: string, error: unknown) => void,
): IndexReaders<Reader> {
  const opened = new Map<string, Opened<Reader>>();
  const drop = (table: string): void => {
    opened.get(table)?.reader?.close();
    opened.delete(table);
  };
  const openNow = (table: string): Reader | undefined => {
    try {
      return open(table);
    } catch (error) {
      failed(table, error);
      return undefined;
    }
  };
  return {
    drop,
    of: (table, { generation }) => {
      const before = opened.get(table);
      if (before?.generation === generation) return before.reader;
      drop(table);
      const reader = openNow(table);
      opened.set(table, { generation, reader });
      return reader;
    },
    close: () => {
      for (const table of opened.keys()) drop(table);
    },
  };
}
