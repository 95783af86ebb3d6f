-- From which moment on a socket stream holds each of its instruments: before it nobody listened.
create table followed (
  stream text not null,
  instrument text not null,
  since timestamptz not null,
  primary key (stream, instrument)
);
