-- An address is told apart within an account: whoever makes users learns nothing of other accounts.
alter table users drop constraint users_email_key;
alter table users add constraint users_email_account unique (email, account_id);
