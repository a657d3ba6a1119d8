import { Injectable } from '@nestjs/common';
import type { People, Person } from '../../access/index.js';
import { type NewPerson, PeopleRepository } from './people.repository.js';

/** Accounts of people, whatever workspaces they belong to; fills the port by which access asks who logs in. */
@Injectable()
export class PeopleService implements People {
  constructor(private readonly people: PeopleRepository) {}

  find(id: string): Promise<Person | null> {
    return this.people.find({ id });
  }

  findByEmail(email: string): Promise<Person | null> {
    return this.people.find({ email: email.toLowerCase() });
  }

  setPasswordHash(id: string, hash: string): Promise<void> {
    return this.people.setPasswordHash(id, hash);
  }

  /** @returns the person's id */
  add(person: NewPerson): Promise<string> {
    return this.people.add(person);
  }
}
