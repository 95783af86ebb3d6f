import { useState, type ReactElement } from "react";
import { Button } from "../../ui/button.tsx";

/** The cursor of the next page, for programs that go on from here. */
export function CopyCursor({ cursor }: { readonly cursor: string }): ReactElement {
  const [copied, setCopied] = useState<string>();
  const copy = (): void => {
    navigator.clipboard?.writeText(cursor).then(
      () => setCopied(cursor),
      () => setCopied(undefined),
    );
  };
  return (
    <Button tone="quiet" icon="copy" title={cursor} onClick={copy}>
      <span aria-live="polite">{copied === cursor ? "Copied" : "Copy cursor"}</span>
    </Button>
  );
}
