-- One process at a time gathers and works out: the one that has the lease "leader". It is free once the leases of the
-- release before have run out, under which several processes may be writing yet.
insert into leases (name, expires_at)
  select 'leader', greatest((select max(expires_at) from leases), (select max(expires_at) from processes), '-infinity');
delete from leases where name <> 'leader';
drop table processes;
drop table budget_claims;
drop table outdated_spans;
delete from live_status;
