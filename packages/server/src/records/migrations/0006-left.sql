-- Until when an instrument was followed: its last state is stored. Null while it is followed.
alter table followed add column left_at timestamptz;
