-- How many wallets, tokens, markets or phrases a parameter of a question may list; before, 200 for everyone.
alter table plans add column max_list integer not null default 200 check (max_list > 0);
update plans set max_list = 50 where name = 'free';
