import type { ReactElement } from "react";
import type { UsageFilter } from "../../api/usage.ts";
import { Select } from "../../ui/select.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import { RANGES, STATUSES } from "./usage-filter.ts";

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface UsageFiltersProps {
  readonly filter: UsageFilter & { readonly range: string };
  readonly keys: readonly Choice[];
  readonly datasets: readonly Choice[];
  readonly onChange: (name: string, value: string) => void;
}

const ALL: Choice = { value: "", label: "All" };

export function UsageFilters({ filter, keys, datasets, onChange }: UsageFiltersProps): ReactElement {
  return (
    <div role="search" aria-label="Filter the usage" className="grid grid-cols-2 gap-3 md:grid-cols-4">
      <Select label="Range" value={filter.range} onChange={(to) => onChange("range", to)} choices={RANGES} />
      <Select label="Key" value={filter.key ?? ""} onChange={(to) => onChange("key", to)} choices={[ALL, ...keys]} />
      <Select
        label="Dataset"
        value={filter.agent_id ?? ""}
        onChange={(to) => onChange("agent_id", to)}
        choices={[ALL, ...datasets]}
      />
      <Select label="Status" value={filter.status ?? ""} onChange={(to) => onChange("status", to)} choices={STATUSES} />
      {filter.range === "custom" ? (
        <>
          <TextInput label="From (UTC day)" type="date" value={filter.from} onChange={(to) => onChange("from", to)} />
          <TextInput label="To (UTC day)" type="date" value={filter.to} onChange={(to) => onChange("to", to)} />
        </>
      ) : null}
    </div>
  );
}
