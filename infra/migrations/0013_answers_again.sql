-- Of what costs nothing no answer is kept: the request is carried out again, if it is the same. Such a row is of a request
-- that has ended, and is there for its fingerprint. To a version that does not know of it, it is a claim that has lapsed.
alter table metering.answers add column again boolean not null default false;
