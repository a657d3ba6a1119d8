import type { EntityManager } from 'typeorm';
import { UserEntity } from '../entities/user.entity.js';

/** Each row beside its person, in the order of the rows; a row whose person is gone is left out. */
export async function withPeople<Row extends { userId: string }, T>(
  manager: EntityManager,
  rows: readonly Row[],
  make: (row: Row, person: UserEntity) => T,
): Promise<T[]> {
  if (rows.length === 0) return [];
  const people = await manager
    .createQueryBuilder(UserEntity, 'person')
    .where('person.id = ANY (:ids)', { ids: rows.map(({ userId }) => userId) })
    .getMany();
  const byId = new Map(people.map((person) => [person.id, person]));
  return rows.flatMap((row) => {
    const person = byId.get(row.userId);
    return person === undefined ? [] : [make(row, person)];
  });
}
