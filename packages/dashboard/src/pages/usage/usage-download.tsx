import { useMutation } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useConsole } from "../../api/console.ts";
import { toUsageQuery, type UsageFilter } from "../../api/usage.ts";
import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/save-file.ts";

/** Downloads the usage as CSV; a plain link would save a refusal as the file. */
export function UsageDownload({ filter }: { readonly filter: UsageFilter }): ReactElement {
  const { csv } = useConsole();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => csv(`/usage.csv?${toUsageQuery(filter)}`),
    onSuccess: (body) => saveFile(body, `usage-${filter.from}-${filter.to}.csv`),
  });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span role="status" className="text-[13px] text-ink-faint">
        {error?.message}
      </span>
      <Button icon="download" isBusy={isPending} onClick={() => mutate()}>
        CSV
      </Button>
    </div>
  );
}
