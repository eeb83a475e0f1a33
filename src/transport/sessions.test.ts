// When a session expires, not while the client has an open stream, and what becomes of its streams.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Protocol } from '../protocol/protocol.ts';
import { type HttpSession, Sessions } from './sessions.ts';

const protocol = { endSession() {} } as unknown as Protocol;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createResponse() {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

function openStream(session: HttpSession): ServerResponse {
  const response = createResponse();
  session.connect(response, undefined);
  return response;
}

describe('a session with an open stream', () => {
  it('is not idle until the stream is closed', () => {
    const sessions = new Sessions(protocol, { max: 10, idleMs: 1_000 });
    const [silent, streaming] = [sessions.create('local'), sessions.create('local')];
    const stream = openStream(streaming);
    vi.advanceTimersByTime(5_000);
    expect(sessions.find(silent.id, 'local')).toBeUndefined();
    expect(sessions.find(streaming.id, 'local')).toBe(streaming);
    stream.emit('close');
    vi.advanceTimersByTime(5_000);
    expect(sessions.find(streaming.id, 'local')).toBeUndefined();
  });

  it('with a stream is evicted only if all others have one too', () => {
    const sessions = new Sessions(protocol, { max: 2, idleMs: 60_000 });
    const [first, second] = [sessions.create('local'), sessions.create('local')];
    openStream(first);
    const third = sessions.create('local');
    expect(sessions.find(second.id, 'local')).toBeUndefined();
    openStream(third);
    const fourth = sessions.create('local');
    expect(sessions.find(first.id, 'local')).toBeUndefined();
    expect(sessions.find(fourth.id, 'local')).toBe(fourth);
  });
});

it('a session outlives a change of the time of day', () => {
  const sessions = new Sessions(protocol, { max: 10, idleMs: 60_000 });
  const session = sessions.create('local');
  vi.setSystemTime(Date.now() + 86_400_000);
  vi.advanceTimersByTime(30_000);
  expect(sessions.find(session.id, 'local')).toBe(session);
  vi.setSystemTime(Date.now() - 2 * 86_400_000);
  vi.advanceTimersByTime(120_000);
  expect(sessions.find(session.id, 'local')).toBeUndefined();
});

it('a response that ended without its client is kept for it, however many follow', () => {
  const session = new Sessions(protocol, { max: 10, idleMs: 60_000 }).create('local');
  const released = session.createStream();
  released.attach(createResponse(), { prime: true });
  released.release();
  released.send('"the result"');
  released.end();
  for (let at = 0; at < 30; at++) {
    const other = session.createStream();
    other.attach(createResponse());
    other.end();
  }
  const resumed = createResponse();
  const write = vi.spyOn(resumed, 'write');
  session.connect(resumed, '1-0');
  expect(write.mock.calls.join()).toContain('the result');
  expect(resumed.writableEnded).toBe(true);
});
