import { IsArray, IsObject } from 'class-validator';
import { expect, test } from 'vitest';
import { FreeForm } from './free-form.js';
import { readDto } from './read-dto.js';
import { Optional } from './validators.js';

class Order {
  @FreeForm()
  @IsObject()
  input: Record<string, unknown>;

  @Optional()
  @IsArray()
  items?: unknown[];
}

const many = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`name-${index}`, index]));

test.each([
  ['the body', { input: {}, ...many(5_000) }, ''],
  ['an object within', { input: {}, items: [many(5_000)] }, '/items/0'],
])('many thousand properties of %s are refused before they cost anything', (_, body, path) => {
  const fields = [expect.objectContaining({ path, code: 'too_many_properties' })];
  expect(() => readDto(Order, body)).toThrow(expect.objectContaining({ fields }));
});

test('what is free in form, and lists, may be as long as they like', () => {
  const body = { input: many(10_000), items: Array.from({ length: 10_000 }, () => 1) };
  expect(readDto(Order, body)).toEqual(body);
});
