import { isRecord } from '../../../common/engine/model/is-record.js';
import { randomUUID } from 'node:crypto';
import type { AskedQuestion, Question } from '../../../common/engine/model/caller-link.js';
import { hasCapability, type PeerFacts } from './peer.js';

/** A question as a request of MCP. */
export interface ClientRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: object;
}

export function requestOf(question: Question): ClientRequest {
  switch (question.kind) {
    case 'form':
      return {
        method: 'elicitation/create',
        params: { message: question.message, requestedSchema: question.schema },
      };
    case 'url': {
      const { message, url } = question;
      return {
        method: 'elicitation/create',
        params: { mode: 'url', message, url, elicitationId: randomUUID() },
      };
    }
    case 'sample': {
      const { system, maxTokens } = question;
      const params = { messages: messagesOf(question.prompt), maxTokens };
      return {
        method: 'sampling/createMessage',
        params: system === null ? params : { ...params, systemPrompt: system },
      };
    }
    case 'roots':
      return { method: 'roots/list', params: {} };
  }
}

/** The capability a client lacks to take the question, as it would have declared it; null where it can take it. */
export function missingFor(question: Question, facts: PeerFacts): Readonly<Record<string, object>> | null {
  switch (question.kind) {
    case 'form': {
      // An empty declaration means forms, from the time when there was nothing else.
      const isFormOnly = !hasCapability(facts, 'elicitation', 'url');
      const canFill = hasCapability(facts, 'elicitation', 'form') || isFormOnly;
      return hasCapability(facts, 'elicitation') && canFill ? null : { elicitation: { form: {} } };
    }
    case 'url':
      return hasCapability(facts, 'elicitation', 'url') ? null : { elicitation: { url: {} } };
    case 'sample':
      return hasCapability(facts, 'sampling') ? null : { sampling: {} };
    case 'roots':
      return hasCapability(facts, 'roots') ? null : { roots: {} };
  }
}

/** Whether an answer has the shape the protocol gives it and, for an accepted form, the fields that were asked for. */
export function isAnswer(asked: AskedQuestion, answer: unknown): boolean {
  const { question } = asked;
  if (!isRecord(answer)) return false;
  switch (question.kind) {
    case 'sample':
      return typeof answer['role'] === 'string' && typeof answer['content'] === 'object';
    case 'roots':
      return Array.isArray(answer['roots']) && answer['roots'].every(isRecord);
    default: {
      const { action } = answer;
      if (action === 'decline' || action === 'cancel') return true;
      if (action !== 'accept') return false;
      return (
        question.kind === 'url' ||
        (isRecord(answer['content']) && asked.problems(answer['content']).length === 0)
      );
    }
  }
}

function messagesOf(prompt: unknown): readonly object[] {
  if (!Array.isArray(prompt)) return [userMessage(prompt)];
  return prompt.map((message: unknown) =>
    isRecord(message) && typeof message['role'] === 'string'
      ? { role: message['role'], content: contentOf(message['content']) }
      : userMessage(message),
  );
}

function userMessage(content: unknown): object {
  return { role: 'user', content: contentOf(content) };
}

function contentOf(content: unknown): unknown {
  if (typeof content === 'object' && content !== null) return content;
  return { type: 'text', text: String(content) };
}
