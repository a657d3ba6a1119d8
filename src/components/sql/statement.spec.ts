import { describe, expect, it } from 'vitest';
import { parseStatement } from './statement.js';

describe('a statement', () => {
  it.each([
    ['select * from t where id = :id', 'select * from t where id = $1', ['id']],
    ['select :a, :b, :a', 'select $1, $2, $1', ['a', 'b']],
    ['select :customer.name.first', 'select $1', ['customer.name.first']],
    ['select :header.X-Request-Id, 1', 'select $1, 1', ['header.X-Request-Id']],
    ['select :a-1', 'select $1-1', ['a']],
    ["select ':no', 'it''s :no'", "select ':no', 'it''s :no'", []],
    ["select E'\\':no', :yes", "select E'\\':no', $1", ['yes']],
    ['select ":no" from "a"":no"', 'select ":no" from "a"":no"', []],
    ['select $$ :no $$, $t$ :no $$ :no $t$, :yes', 'select $$ :no $$, $t$ :no $$ :no $t$, $1', ['yes']],
    ['select 1 -- :no\n, :yes', 'select 1 -- :no\n, $1', ['yes']],
    ['/* :no /* :no */ :no */ select :yes', '/* :no /* :no */ :no */ select $1', ['yes']],
    ['select :a::text, b::int', 'select $1::text, b::int', ['a']],
    ['select a[1:2]', 'select a[1:2]', []],
    ['select 1; -- the end', 'select 1; -- the end', []],
    ['with x as (select :a) select * from x;\n', 'with x as (select $1) select * from x;\n', ['a']],
  ])('%s becomes %s with %j', (sql, text, names) => {
    expect(parseStatement(sql)).toEqual({ text, names });
  });

  it.each([
    ['', /empty/],
    ['-- only a comment', /empty/],
    ['select 1; delete from t', /more than one/],
    ["select 1; 'x'", /more than one/],
    ['select $1', /names/],
    ['BEGIN', /shared/],
    ['/* sly */ commit', /shared/],
    ['set search_path = x', /shared/],
  ])('refuses %j', (sql, why) => {
    expect(() => parseStatement(sql)).toThrow(why);
  });
});
