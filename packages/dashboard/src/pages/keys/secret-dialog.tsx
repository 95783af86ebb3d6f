import type { ReactElement } from "react";
import { useDatasets } from "../../api/datasets.ts";
import type { MadeKey } from "../../api/keys.ts";
import { CopyText } from "../../ui/copy-text.tsx";
import { OnceDialog } from "../../ui/once-dialog.tsx";
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
    <OnceDialog
      title={`The key “${made.summary.name}” is made`}
      warning="Copy it now and keep it where secrets are kept. It is shown this once; only its digest is stored, so nobody can show it again. A lost key is replaced by a new one."
      secret={made.key}
      label="key"
      onClose={onClose}
    >
      {curl === undefined ? null : (
        <div>
          <h3 className="mb-1 text-[13px] font-medium text-ink-soft">Try it</h3>
          <CopyText text={curl} label="command" isBlock />
        </div>
      )}
    </OnceDialog>
  );
}
