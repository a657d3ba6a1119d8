import { wordsOf } from './words.js';

/**
 * Words that people of the field use for one another when they name or look for a tool. A word may stand in several
 * groups; groups are not joined through it.
 */
const groups = [
  'get fetch read retrieve load lookup',
  'find search lookup query discover locate',
  'list enumerate browse all',
  'create add new make insert open register',
  'delete remove erase destroy drop',
  'cancel abort stop revoke',
  'update change edit modify patch set',
  'send post publish deliver notify',
  'run execute invoke call trigger',
  'check verify validate test',
  'convert transform translate',
  'compute calculate evaluate',
  'summarize summarise summary digest',
  'upload import ingest',
  'download export',
  'email mail message',
  'message chat sms text',
  'phone telephone mobile call',
  'customer client buyer consumer',
  'user account member person people',
  'employee staff worker colleague',
  'company organization organisation business firm',
  'lead prospect contact',
  'invoice bill receipt',
  'payment charge billing pay',
  'refund reimburse chargeback',
  'price cost rate fee quote',
  'order purchase',
  'ticket issue case incident bug',
  'file document doc attachment',
  'image picture photo',
  'database db sql table',
  'repository repo git',
  'website site page web url',
  'address location place',
  'calendar schedule appointment meeting event',
  'log audit history',
  'metric statistic stat analytics',
  'weather forecast temperature',
  'article knowledge faq wiki',
];

const byWord = new Map<string, Set<string>>();
for (const group of groups) {
  const words = wordsOf(group);
  for (const word of words) {
    const others = byWord.get(word) ?? new Set<string>();
    for (const other of words) if (other !== word) others.add(other);
    byWord.set(word, others);
  }
}

/** Other words for this one; none for most. */
export function synonymsOf(word: string): ReadonlySet<string> {
  return byWord.get(word) ?? none;
}

const none: ReadonlySet<string> = new Set();
