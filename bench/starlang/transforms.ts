/** The four transforms, each in the language of every engine and in JavaScript by hand. */

export interface Item {
  id: number;
  first: string;
  last: string;
  price: number;
  quantity: number;
  category: string;
}

export const items: Item[] = Array.from({ length: 1000 }, (_, i) => ({
  id: i,
  first: `First${i % 100}`,
  last: `Last${i % 77}`,
  price: ((i * 37) % 10_000) / 100,
  quantity: (i % 9) + 1,
  category: `category-${i % 12}`,
}));

export interface Transform {
  name: string;
  payload: unknown;
  starlang: string;
  jsonata: string;
  /** Undefined: the language has no arithmetic or grouping. */
  jmespath?: string;
  byHand: (payload: never) => unknown;
  /** Runs a turn of the clock is divided into. */
  batch: number;
  /** Sums of doubles: the last digit may differ. */
  inexact?: boolean;
}

const order = {
  id: 7,
  customer: { name: 'Ann', city: 'Bonn' },
  lines: [{ sku: 'a-1' }, { sku: 'b-2' }],
  open: true,
};

export const transforms: Transform[] = [
  {
    name: 'map 1,000 to objects',
    payload: { items },
    starlang: 'payload.items map {id: $.id, name: $.first, cost: $.price, kind: $.category}',
    jsonata: 'items.{"id": id, "name": first, "cost": price, "kind": category}',
    jmespath: 'items[].{id: id, name: first, cost: price, kind: category}',
    byHand: ({ items: all }: { items: Item[] }) =>
      all.map((item) => ({ id: item.id, name: item.first, cost: item.price, kind: item.category })),
    batch: 20,
  },
  {
    name: 'map with concat and product',
    payload: { items },
    starlang: 'payload.items map {name: $.first ++ " " ++ $.last, total: $.price * $.quantity}',
    jsonata: 'items.{"name": first & " " & last, "total": price * quantity}',
    byHand: ({ items: all }: { items: Item[] }) =>
      all.map((item) => ({ name: `${item.first} ${item.last}`, total: item.price * item.quantity })),
    batch: 20,
    inexact: true,
  },
  {
    name: 'small object',
    payload: order,
    starlang:
      '{number: payload.id, who: payload.customer.name, where: payload.customer.city, first: payload.lines[0].sku, state: if (payload.open) "open" else "closed"}',
    jsonata:
      '{"number": id, "who": customer.name, "where": customer.city, "first": lines[0].sku, "state": open ? "open" : "closed"}',
    jmespath:
      "{number: id, who: customer.name, where: customer.city, first: lines[0].sku, state: open && 'open' || 'closed'}",
    byHand: (payload: typeof order) => ({
      number: payload.id,
      who: payload.customer.name,
      where: payload.customer.city,
      first: payload.lines[0]?.sku,
      state: payload.open ? 'open' : 'closed',
    }),
    batch: 2000,
  },
  {
    name: 'group and sum 1,000',
    payload: { items },
    starlang:
      'payload.items groupBy $.category mapObject {($$): {count: sizeOf($), total: sum($ map $.price * $.quantity)}}',
    jsonata: 'items{category: {"count": $count($), "total": $sum($.(price * quantity))}}',
    byHand: ({ items: all }: { items: Item[] }) => {
      const groups = new Map<string, { count: number; total: number }>();
      for (const { category, price, quantity } of all) {
        const group = groups.get(category);
        if (group) {
          group.count++;
          group.total += price * quantity;
        } else groups.set(category, { count: 1, total: price * quantity });
      }
      return Object.fromEntries(groups);
    },
    batch: 20,
    inexact: true,
  },
];
