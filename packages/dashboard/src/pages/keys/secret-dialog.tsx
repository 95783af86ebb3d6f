import type { ReactElement } from "react";
import { useDatasets } from "../../api/datasets.ts";
import type { MadeKey } from "../../api/keys.ts";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { toFirstCurl } from "./to-first-curl.ts";

/** The one time the secret is seen. */
export function SecretDialog({
  made,
  onClose,
}: {
  readonly made: MadeKey;
  readonly onClose: () => void;
}): ReactElement {
  const datasets = useDatasets();
  const curl = toFirstCurl(window.location.origin, made.key, made.summary.datasets, datasets.data ?? []);
  return (
    <Dialog title={`The key “${made.summary.name}” is made`} isOpen onClose={onClose} isSticky>
      <div className="flex flex-col gap-4">
        <p className="rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn">
          Copy it now and keep it where secrets are kept. It is shown this once; only its digest is stored, so nobody
          can show it again. A lost key is replaced by a new one.
        </p>
        <CopyText text={made.key} label="key" isBlock />
        {curl === undefined ? null : (
          <div>
            <h3 className="mb-1 text-[13px] font-medium text-ink-soft">Try it</h3>
            <CopyText text={curl} label="command" isBlock />
          </div>
        )}
        <div className="flex justify-end">
          <Button tone="primary" onClick={onClose}>
            I have kept it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
