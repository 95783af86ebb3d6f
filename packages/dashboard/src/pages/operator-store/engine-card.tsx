import type { ReactElement } from "react";
import type { StoredTable, StoreEngine } from "../../api/store.ts";
import { BriefMoment } from "../../read/brief-moment.tsx";
import { showBytes } from "../../read/show-bytes.ts";
import { showFigure } from "../../read/show-figure.ts";
import { showSpan } from "../../read/show-span.ts";
import { Card } from "../../ui/card.tsx";
import { Stat } from "../../ui/stat.tsx";
import { sizeOf } from "./size-of.ts";

interface EngineCardProps {
  readonly engine: StoreEngine;
  readonly tables: readonly StoredTable[];
  readonly backedUpAt: string | null;
}

const toSize = (bytes: number | null): string => (bytes === null ? "–" : showBytes(bytes));

/** The store as a whole, and the engine that keeps it. */
export function EngineCard({ engine, tables, backedUpAt }: EngineCardProps): ReactElement {
  const { rows, diskBytes, coldBytes, uncompressedBytes } = sizeOf(tables);
  const disk = engine.disk_free_bytes;
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-6">
        <Stat label="Rows" value={showFigure(rows)} note={`in ${tables.length} tables`} />
        <Stat
          label="On disk"
          value={showBytes(diskBytes)}
          note={`${coldBytes > 0 ? "with object storage " : ""}of ${showBytes(uncompressedBytes)} uncompressed`}
        />
        {coldBytes > 0 ? (
          <Stat label="In object storage" value={showBytes(coldBytes)} note="old weeks of books" />
        ) : null}
        <Stat
          label="Disk free"
          value={toSize(disk)}
          note={engine.disk_total_bytes === null ? undefined : `of ${toSize(engine.disk_total_bytes)}`}
        />
        <Stat
          label="Memory"
          value={toSize(engine.memory_bytes)}
          note={engine.memory_limit_bytes === null ? undefined : `of ${toSize(engine.memory_limit_bytes)}`}
        />
        <Stat
          label="Engine"
          value={engine.version}
          note={`up ${showSpan(engine.up_seconds)}, ${engine.queries} queries and ${engine.merges} merges under way`}
        />
        <Stat label="Last backup" value={backedUpAt === null ? "none" : <BriefMoment at={backedUpAt} />} />
      </dl>
    </Card>
  );
}
