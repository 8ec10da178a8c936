-- Copies of read models as the world stood at a position: kept until they are dropped by hand.
alter table projections.builds drop constraint builds_status_check;
alter table projections.builds add constraint builds_status_check
  check (status in ('building', 'active', 'retired', 'copy'));
