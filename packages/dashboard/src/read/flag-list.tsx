import type { ReactElement } from "react";
import { Badge } from "../ui/badge.tsx";
import { toWords } from "./to-words.ts";
import { useColumns } from "./use-columns.ts";

type FlagListProps = {
  readonly agentId: number;
  readonly row: Readonly<Record<string, unknown>>;
  readonly names: readonly string[];
};

/** Flags, raised ones first, each with the rule that raises it, from the dataset's definition. */
export function FlagList({ agentId, row, names }: FlagListProps): ReactElement {
  const columns = useColumns(agentId);
  const ordered = names.toSorted((left, right) => Number(row[right] === true) - Number(row[left] === true));
  return (
    <ul className="space-y-2 text-sm">
      {ordered.map((name) => (
        <li key={name}>
          <Badge tone={row[name] === true ? "bad" : "quiet"}>{row[name] === true ? "raised" : "clear"}</Badge>{" "}
          <span className={row[name] === true ? "font-medium" : ""}>{toWords(name)}</span>
          <span className="block text-xs text-ink-faint">{columns.get(name)?.about}</span>
        </li>
      ))}
    </ul>
  );
}
