import { Injectable } from '@nestjs/common';
import { PeopleRepository } from './people.repository.js';

/** Accounts of people, whatever workspaces they belong to. */
@Injectable()
export class PeopleService {
  constructor(private readonly people: PeopleRepository) {}

  /** @returns the person's id */
  add({ name, email }: { readonly name: string; readonly email: string | null }): Promise<string> {
    return this.people.add(name, email);
  }
}
