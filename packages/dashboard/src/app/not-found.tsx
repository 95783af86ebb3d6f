import type { ReactElement } from "react";
import { Link, useLocation } from "react-router";
import { Empty } from "../ui/empty.tsx";
import { PageHeader } from "../ui/page-header.tsx";

export function NotFound(): ReactElement {
  const { pathname } = useLocation();
  return (
    <>
      <PageHeader title="No such page" />
      <Empty title="There is nothing here">
        <p className="break-all">{pathname}</p>
        <p>
          See that the address is whole, or go to the{" "}
          <Link to="/" className="text-accent underline">
            overview
          </Link>
          .
        </p>
      </Empty>
    </>
  );
}
