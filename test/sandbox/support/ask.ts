import type { Sandbox } from '../../../sandbox/service';
import { KEY } from '../../support/stage';

/** What a service's clients send beside an order. */
const HEADERS: Record<string, Record<string, string>> = {
	fal: { authorization: `Key ${KEY}` },
	google: { 'x-goog-api-key': KEY },
	runway: { authorization: `Bearer ${KEY}`, 'x-runway-version': '2024-11-06' },
};

/** Returns a client of the stand-in as it is set up for a service. */
export const asker = (sandbox: () => Sandbox, profile: string) => {
	const key = HEADERS[profile] ?? { authorization: `Bearer ${KEY}` };
	const headers = { ...key, 'content-type': 'application/json' };
	return async function ask<T = Record<string, unknown>>(
		path: string,
		body?: object,
		method = body ? 'POST' : 'GET',
	) {
		const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
		const response = await fetch(new URL(path, sandbox().url), init);
		const text = await response.text();
		const json = (text ? JSON.parse(text) : undefined) as T;
		return { status: response.status, headers: response.headers, json };
	};
};

/** Sets the stand-in up for a service; what a test before it set is forgotten. */
export function setUp(sandbox: Sandbox, profile: string, settings: object = {}) {
	sandbox.reset();
	sandbox.set({ profile, ...settings });
}

/** Lets time pass for the stand-in, until the test ends. */
export function passTime(ms: number) {
	const now = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + ms);
}
afterEach(() => jest.restoreAllMocks());
