import type { DataSource } from 'typeorm';

/**
 * What TypeORM would change to make the migrated schema fit the entities; empty where both agree. The data source
 * must know all entities and stand on a scratch database on which all migrations ran.
 */
export async function schemaDrift(dataSource: DataSource): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}
