-- Which builds of which projections there are, and how far each has come. A build is a schema of its own.
create schema projections;

-- For finding look-alikes.
create extension if not exists pg_trgm;

create table projections.builds (
  projection   text        not null,
  version      integer     not null,
  build        integer     not null,
  schema_name  text        not null unique,
  status       text        not null check (status in ('building', 'active', 'retired')),
  created_at   timestamptz not null default now(),
  activated_at timestamptz,
  primary key (projection, version, build)
);

create unique index builds_active on projections.builds (projection, version) where status = 'active';

create table projections.checkpoints (
  schema_name text   not null references projections.builds (schema_name) on delete cascade,
  partition   text   not null,
  position    bigint not null,
  -- When the events up to here were folded; what lag is told from.
  moved_at    timestamptz not null default now(),
  primary key (schema_name, partition)
);
