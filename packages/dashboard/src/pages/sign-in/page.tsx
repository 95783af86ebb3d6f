import type { ReactElement } from "react";
import { Navigate, useLocation } from "react-router";
import { useSessionQuery } from "../../api/session.ts";
import { toWayBack } from "../../app/way-back.ts";
import { SignIn } from "./sign-in.tsx";

export default function SignInPage(): ReactElement {
  const session = useSessionQuery();
  const { search } = useLocation();
  return session.data ? <Navigate to={toWayBack(search)} replace /> : <SignIn />;
}
