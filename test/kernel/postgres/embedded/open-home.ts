import pg from 'pg';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { openDatabase } from '../../../../src/kernel/postgres/open-database.ts';

// Opens the home that is named, as the user that this runs as, and prints what the table `kept` holds.
const SIGHTLINE_HOME = process.argv[2] as string;
const database = await openDatabase({ SIGHTLINE_HOME, DATABASE_URL: undefined }, 'command', silentLogger);
const client = new pg.Client({ connectionString: database.url });
await client.connect();
await client.query('create table if not exists kept (word text)');
const { rows } = await client.query<{ word: string }>('select word from kept');
await client.query(`insert into kept values ('here before')`);
console.log(rows.map(({ word }) => word).join(',') || 'empty');
await client.end();
await database.close();
