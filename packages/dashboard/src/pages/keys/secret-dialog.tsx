import type { ReactElement } from "react";
import type { MadeKey } from "../../api/keys.ts";
import { CopyText } from "../../ui/copy-text.tsx";
import { OnceDialog } from "../../ui/once-dialog.tsx";
import { toFirstCurl } from "./to-first-curl.ts";
import { useReadableDatasets } from "./use-readable-datasets.ts";

/** The one time the secret is seen. */
export function SecretDialog({
  made,
  onClose,
}: {
  readonly made: MadeKey;
  readonly onClose: () => void;
}): ReactElement {
  const { key, summary } = made;
  const { datasets = [] } = useReadableDatasets(summary.account_id);
  const curl = toFirstCurl(window.location.origin, key, summary.datasets, datasets);
  return (
    <OnceDialog
      title={`The key “${summary.name}” is made`}
      warning="Copy it now and keep it where secrets are kept. It is shown this once; only its digest is stored, so nobody can show it again. A lost key is replaced by a new one."
      secret={key}
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
