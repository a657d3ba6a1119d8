import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { turns, type Dice } from './dice.js';
import type { Ledger } from './ledger.js';

const body = JSON.stringify({ n: 1, nested: { list: [1, 2, 3] } });
const head = `POST /front HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;

/**
 * One request as the wild sends it: whole, in pieces, read late, or left at any moment. Either the client leaves, or it
 * has an answer with a known status and an id.
 */
export async function ask(port: number, dice: Dice, ledger: Ledger): Promise<void> {
  ledger.clients.sent++;
  const way = dice.pick({ plain: 5, pieces: 2, 'reads late': 1, 'leaves early': 1, 'leaves late': 2 });
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  if (way === 'leaves early') {
    socket.write(head + body.slice(0, dice.below(body.length)));
    await turns(dice.below(4));
    return leave(socket, ledger);
  }
  if (way === 'pieces') {
    const cut = dice.below(head.length + body.length);
    socket.write((head + body).slice(0, cut));
    await turns(1 + dice.below(20));
    socket.write((head + body).slice(cut));
  } else socket.write(head + body);
  if (way === 'leaves late') {
    await turns(dice.below(30));
    return leave(socket, ledger);
  }
  if (way === 'reads late') await turns(dice.below(50));
  check(await read(socket));
  ledger.clients.answered++;
}

function leave(socket: Socket, ledger: Ledger): void {
  ledger.clients.left++;
  // Whatever is on its way to this side now is of no interest.
  socket.on('error', () => undefined);
  socket.resetAndDestroy();
}

async function read(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

function check(answer: string): void {
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
  if (![200, 204, 500, 503, 504].includes(status) || !/\r\nX-Request-Id: \S+\r\n/i.test(answer))
    throw new Error(`An answer that no client can use: ${answer === '' ? 'none at all' : answer}`);
}
