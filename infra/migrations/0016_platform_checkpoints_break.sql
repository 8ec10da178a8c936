-- A build that writers share has a checkpoint per platform. Earlier programs do not know these partitions and would pass
-- their events without applying them: they must not run on this database.
--
-- All checkpoints of a page are updated together: free space keeps the new row versions on the same page.
alter table projections.checkpoints set (fillfactor = 50);
