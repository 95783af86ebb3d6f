-- People who sign in. An account's role said who was to manage accounts in a dashboard that did not exist; users have roles.
create table users (
  id text primary key,
  account_id text not null references accounts (id),
  email text not null unique,
  name text not null,
  role text not null check (role in ('owner', 'member', 'operator')),
  password_hash text not null,
  must_change_password boolean not null,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  last_sign_in_at timestamptz
);
create index users_account on users (account_id, id);

-- Who is signed in; of the cookie's secret only the SHA-256.
create table sessions (
  digest bytea primary key,
  user_id text not null references users (id),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id, created_at);
create index sessions_end on sessions (expires_at);

alter table accounts drop column role;

-- A user's id; null for keys made on the command line.
alter table api_keys add column created_by text references users (id);

-- Whose affair it is and which user did it; null where no account or no user is meant.
alter table audit add column account_id text;
alter table audit add column user_id text;
update audit set account_id = subject where subject in (select id from accounts);
update audit set account_id = api_keys.account_id from api_keys where api_keys.id = audit.subject;
create index audit_account on audit (account_id, id);
