import { useState, type ReactElement } from "react";
import { useRotateKey, type ApiKey, type MadeKey } from "../../api/keys.ts";
import { Select } from "../../ui/select.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

const OVERLAPS = [
  { value: "0", label: "None: the old key ends now" },
  { value: "3600", label: "An hour" },
  { value: "86400", label: "A day" },
  { value: "604800", label: "A week" },
  { value: "2592000", label: "30 days" },
];

interface RotateKeyProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onMade: (made: MadeKey) => void;
}

export function RotateKeyDialog({ apiKey, onClose, onMade }: RotateKeyProps): ReactElement {
  const [overlap, setOverlap] = useState("86400");
  const rotate = useRotateKey();
  return (
    <FormDialog
      title={`Rotate “${apiKey.name}”`}
      confirm="Make the new key"
      isBusy={rotate.isPending}
      error={rotate.error}
      onClose={onClose}
      onConfirm={() =>
        rotate.mutate({ id: apiKey.id, overlap_seconds: Number(overlap) }, { onSuccess: (made) => onMade(made) })
      }
    >
      <p>
        A new key with the same name, datasets and expiry is made. Both work for the overlap, then the old one ends.
      </p>
      <Select label="Both work for" value={overlap} onChange={setOverlap} choices={OVERLAPS} />
    </FormDialog>
  );
}
