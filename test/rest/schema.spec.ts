import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schemaDrift } from '../../src/common/platform/database/schema-drift.js';
import { type RestStory, startRest } from './support/client.js';

let story: RestStory;
beforeAll(async () => (story = await startRest()));
afterAll(() => story.close());

it('has migrations that make exactly what the entities describe', async () => {
  expect(await schemaDrift(story.helix.app.nest.get(DataSource))).toEqual([]);
});
