export type Role = "member" | "owner" | "operator";

export interface SessionUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly must_change_password?: boolean;
  readonly account: { readonly id: string; readonly name: string; readonly plan: string };
}

/** The signed-in user, and the CSRF token that goes with each of this session's changes. */
export interface SessionReply {
  readonly user: SessionUser;
  readonly csrf_token: string;
}
