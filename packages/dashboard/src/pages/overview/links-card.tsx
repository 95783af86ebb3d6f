import type { ReactElement } from "react";
import { Card } from "../../ui/card.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { TEXT_LINK } from "../../ui/text-link.ts";

/** Where a program asks, and where to read about it. */
export function LinksCard(): ReactElement {
  return (
    <Card title="The endpoint">
      <CopyText text={`${window.location.origin}/api/v2/semantic/retrieve/parameterized`} label="address" isBlock />
      <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <a href="/docs" className={TEXT_LINK}>
          Documentation
        </a>
        <a href="/openapi.json" className={TEXT_LINK}>
          OpenAPI
        </a>
      </p>
    </Card>
  );
}
