import { AlmanacError } from "@almanac/client";
import { useState, type ReactElement } from "react";
import { useDatasetClient } from "../../api/console-client.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { downloadNote, fileOf, FORMATS, type Format } from "../../explore/download.ts";
import type { SentRequest } from "../../explore/request.ts";
import { Button } from "../../ui/button.tsx";
import { CONTROL_CLASS } from "../../ui/form-fields.tsx";
import { saveFile } from "../../ui/save-file.ts";

/** Downloads the query's first page as a file produced by the service. */
export function DownloadControl({
  dataset,
  request,
}: {
  readonly dataset: Dataset;
  readonly request: SentRequest;
}): ReactElement {
  const client = useDatasetClient();
  const [format, setFormat] = useState<Format>("csv");
  const [isBusy, setIsBusy] = useState(false);
  const [reported, setReported] = useState("");
  const take = async (): Promise<void> => {
    setIsBusy(true);
    setReported("");
    try {
      const file = await fileOf(client, request, format);
      saveFile(file.body, `${dataset.name}.${format}`);
      setReported(downloadNote(file, request.limit ?? dataset.limit.default));
    } catch (error) {
      setReported(error instanceof AlmanacError ? error.message : "The file could not be created.");
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <select
        aria-label="Format of the download"
        value={format}
        onChange={(event) => setFormat(event.currentTarget.value as Format)}
        className={`${CONTROL_CLASS} w-28! pr-8`}
      >
        {FORMATS.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <Button icon="download" isBusy={isBusy} onClick={() => void take()}>
        Download
      </Button>
      <span role="status" className="text-[13px] text-ink-faint">
        {reported}
      </span>
    </div>
  );
}
