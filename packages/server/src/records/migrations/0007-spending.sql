-- What hosts that bill by what they answer may have billed in a UTC day, in millionths of a dollar. A call under way
-- counts whole; one whose process died stays counted.
create table spending (
  host text not null,
  day date not null,
  micro_usd bigint not null check (micro_usd >= 0),
  primary key (host, day)
);
