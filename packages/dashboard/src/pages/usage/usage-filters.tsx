import type { ReactElement } from "react";
import type { UsageFilter } from "../../api/usage.ts";
import { Select } from "../../ui/select.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import type { FilterChoice, FilterChoices } from "./use-filter-choices.ts";
import { RANGES, STATUSES } from "./usage-filter.ts";

interface UsageFiltersProps {
  readonly filter: UsageFilter & { readonly range: string };
  readonly choices: FilterChoices;
  readonly onChange: (name: string, value: string) => void;
}

const ALL: FilterChoice = { value: "", label: "All" };

export function UsageFilters({ filter, choices, onChange }: UsageFiltersProps): ReactElement {
  return (
    <div
      role="search"
      aria-label="Filter the usage"
      className="grid grid-cols-2 gap-3 md:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]"
    >
      <Select label="Range" value={filter.range} onChange={(to) => onChange("range", to)} choices={RANGES} />
      {choices.accounts.length === 0 ? null : (
        <Select
          label="Account"
          value={filter.account ?? ""}
          onChange={(to) => onChange("account", to)}
          choices={[{ value: "", label: "Your own" }, ...choices.accounts]}
        />
      )}
      <Select
        label="Key"
        value={filter.key ?? ""}
        onChange={(to) => onChange("key", to)}
        choices={[ALL, ...choices.keys]}
      />
      <Select
        label="Dataset"
        value={filter.agent_id ?? ""}
        onChange={(to) => onChange("agent_id", to)}
        choices={[ALL, ...choices.datasets]}
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
