import type { UsageLine } from "../../api/usage.ts";
import { showBytes } from "../../read/show-bytes.ts";
import { showFigure } from "../../read/show-figure.ts";
import type { TableColumn } from "../../ui/table-column.ts";

const toMs = (ms: number | null): string => (ms === null ? "–" : showFigure(Number(ms.toFixed(ms < 10 ? 1 : 0))));

function figure(
  id: "requests" | "rows" | "bytes" | "ms_mean" | "ms_p50" | "ms_p95" | "ms_p99",
  header: string,
  show: (value: number | null) => string,
  width: number,
): TableColumn<UsageLine> {
  return { id, header, align: "right", width, sortValue: (line) => line[id], cell: (line) => show(line[id]) };
}

const toCount = (value: number | null): string => showFigure(value);

export function usageColumns(titleOf: (agentId: number) => string): TableColumn<UsageLine>[] {
  return [
    { id: "day", header: "Day", about: "UTC", width: 120, sortValue: ({ day }) => day, cell: ({ day }) => day },
    {
      id: "key",
      header: "Key",
      width: 170,
      isRowHeader: true,
      sortValue: (line) => line.key_name ?? line.key_id,
      cell: (line) => line.key_name ?? line.key_id,
    },
    {
      id: "dataset",
      header: "Dataset",
      width: 230,
      sortValue: (line) => titleOf(line.agent_id ?? 0),
      cell: (line) => titleOf(line.agent_id ?? 0),
    },
    {
      id: "status",
      header: "Status",
      align: "right",
      width: 90,
      sortValue: ({ status }) => status,
      cell: ({ status }) => status,
    },
    figure("requests", "Requests", toCount, 110),
    figure("rows", "Rows", toCount, 110),
    figure("bytes", "Bytes", (bytes) => showBytes(bytes ?? 0), 100),
    figure("ms_p50", "p50 ms", toMs, 95),
    figure("ms_p95", "p95 ms", toMs, 95),
    figure("ms_p99", "p99 ms", toMs, 95),
  ];
}
