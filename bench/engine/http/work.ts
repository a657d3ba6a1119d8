/** `POST JSON → transform → reply`: the same order and the same total for every server. */

export interface Order {
  readonly customer: string;
  readonly lines: readonly { readonly sku: string; readonly count: number; readonly price: number }[];
}

const order: Order = {
  customer: 'Ann',
  lines: Array.from({ length: 5 }, (_, i) => ({ sku: `sku-${i}`, count: i + 1, price: 1.5 * i })),
};

export const requestBody = JSON.stringify(order);

export const total = ({ customer, lines }: Order): object => ({
  customer,
  total: lines.reduce((sum, { count, price }) => sum + count * price, 0),
});

export const wantedReply = JSON.stringify(total(order));

/** The same as Starlang. */
export const totalScript =
  '{ customer: payload.customer, total: sum(payload.lines map ($.count * $.price)) }';
