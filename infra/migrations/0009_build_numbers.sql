-- Numbers of builds, each given once: a writer that was cut off from a build that is gone by now must not find another
-- of the same name in its place.
create sequence projections.build_numbers;
select setval('projections.build_numbers', greatest((select max(build) from projections.builds), 1),
  exists (select from projections.builds));
